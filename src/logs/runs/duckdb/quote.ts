// Names and texts inside SQL. Values are bound wherever DuckDB takes a parameter; names and the file names of
// COPY, which it takes only as text, are quoted here.

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
