// The style of the reference page. It is part of the page, whose policy allows this text and no other style.

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --line: #dfe3e8; --text: #1c2430; --quiet: #5b6675; --link: #0b5cad;
  --code: #eef1f4; --block: #f3f5f8;
  --get: #0b6e4f; --post: #0b5cad; --put: #8a5a00; --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --panel: #181d25; --line: #2b323d; --text: #dde3ea; --quiet: #96a1b0; --link: #7cb7ff;
    --code: #232a34; --block: #181e27;
    --get: #5fd0a5; --post: #7cb7ff; --put: #e6b450; --delete: #ff8a80;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  display: grid; grid-template-columns: 18rem minmax(0, 1fr);
}
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; }
code { background: var(--code); padding: 0.1em 0.3em; border-radius: 4px; overflow-wrap: anywhere; }

nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto;
  padding: 1.5rem 1rem 2rem 1.5rem; background: var(--panel); border-right: 1px solid var(--line); font-size: 0.9rem;
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav .home { display: block; font-weight: 700; font-size: 1.15rem; color: var(--text); margin-bottom: 1rem; }
nav .group { display: block; margin-top: 1.1rem; font-weight: 600; color: var(--text); }
nav li li { display: grid; grid-template-columns: 3.2rem 1fr; align-items: baseline; padding: 0.12rem 0; }
nav li li .method { font-size: 0.65rem; }
nav li li.topic { display: block; }
[hidden] { display: none !important; }
#filter {
  width: 100%; margin: 0 0 0.8rem; padding: 0.4rem 0.6rem; font: inherit; color: var(--text);
  background: var(--page); border: 1px solid var(--line); border-radius: 6px;
}
h4 { margin: 1.2rem 0 0.4rem; font-size: 1rem; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }

main { padding: 2.5rem 3rem 6rem; max-width: 68rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 3.5rem 0 1rem; font-size: 1.45rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); }
h3 { margin: 0 0 0.6rem; font-size: 1.15rem; }
h2 a, h3 a { color: inherit; }
.version { color: var(--quiet); font-weight: 400; font-size: 1rem; letter-spacing: 0; }
.lead { color: var(--quiet); margin: 0.5rem 0 0; }
.intro h2 { margin-top: 2.25rem; font-size: 1.2rem; border: 0; padding: 0; }
.intro ul { padding-left: 1.2rem; margin: 0.5rem 0; }
.intro li { margin: 0.3rem 0; }

article { padding: 1.75rem 0 2rem; border-top: 1px solid var(--line); }
h2 + article { border-top: 0; padding-top: 0.5rem; }
.call {
  display: flex; gap: 0.75rem; align-items: baseline; margin: 0 0 0.8rem;
  padding: 0.55rem 0.8rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
}
.call code { background: none; padding: 0; font-size: 0.95rem; }
.method { font: 700 0.78rem/1.4 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; color: var(--quiet); }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT { color: var(--put); } .DELETE { color: var(--delete); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0.8rem 0 0; font-size: 0.92rem; }
dt { color: var(--quiet); }
dd { margin: 0; }

.wide { overflow-x: auto; margin-top: 1.1rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.9rem 0.4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); font-size: 0.8rem; white-space: nowrap; }
td:first-child, td:nth-child(2) { white-space: nowrap; }
.rows td:nth-child(2) { white-space: normal; }
td:last-child, th:last-child { padding-right: 0; }
details { margin-top: 1.2rem; }
summary { cursor: pointer; font-weight: 600; font-size: 0.9rem; }
summary .count { color: var(--quiet); font-weight: 400; }
details .wide { margin-top: 0.5rem; }
pre {
  margin: 1.2rem 0 0; padding: 0.8rem 1rem; overflow-x: auto; line-height: 1.5;
  background: var(--block); border: 1px solid var(--line); border-radius: 6px;
}
pre code { background: none; padding: 0; font-size: 0.82rem; overflow-wrap: normal; }

@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; padding: 1rem 1.25rem; border-right: 0; border-bottom: 1px solid var(--line); }
  nav .home { margin-bottom: 0.3rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
  nav ul ul { display: none; }
  nav .group { margin: 0; font-weight: 400; color: var(--link); }
  main { padding: 1.75rem 1.25rem 4rem; }
}
@media print {
  body { display: block; }
  nav { display: none; }
  main { padding: 0; max-width: none; }
  article { break-inside: avoid; }
}
`;
