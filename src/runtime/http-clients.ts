// Node's own clients of HTTP. An `import` of node:http reads all that the module exports, WebSocket among it, and so loads the whole
// of undici: 45 milliseconds of a start, for which nothing here has any use.

export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
