// Names and texts inside SQL. Values are bound wherever DuckDB takes a parameter; what it takes only as text (names,
// file names of COPY) goes through here.

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
