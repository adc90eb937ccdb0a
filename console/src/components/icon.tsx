// Icons, drawn here: strokes in a square of 24, in the colour of the text.

const PATHS = {
  alert: 'M12 8v5m0 3.5v.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z',
  arrowDown: 'M12 5v14m0 0 6-6m-6 6-6-6',
  arrowUp: 'M12 19V5m0 0 6 6m-6-6-6 6',
  audit: 'M9 12.5l2 2 4-4.5M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.500-7.5-5-7.5-9.5V6L12 3Z',
  bars: 'M5 20v-7m7 7V4m7 16v-10',
  bell: 'M18 9a6 6 0 1 0-12 0c0 6-2.500 7.500-2.500 7.500h17S18 15 18 9Zm-4.300 11a2 2 0 0 1-3.400 0',
  calendar: 'M4 6.500h16v14H4zM4 10.500h16M8 3.500v5m8-5v5',
  check: 'M4.500 12.500l5 5L20 6.500',
  chevronDown: 'M6 9l6 6 6-6',
  chevronLeft: 'M15 6l-6 6 6 6',
  chevronRight: 'M9 6l6 6-6 6',
  clock: 'M12 7v5l3.500 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  columns: 'M4 4.500h16v15H4zM9.500 4.500v15m5-15v15',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dashboards: 'M4 4h7v9H4zm9 0h7v5h-7zm0 7h7v9h-7zm-9 4h7v5H4z',
  database:
    'M4 6c0-1.700 3.600-3 8-3s8 1.300 8 3-3.600 3-8 3-8-1.300-8-3Zm0 0v12c0 1.700 3.600 3 8 3s8-1.300 8-3V6M4 12c0 1.700 3.600 3 8 3s8-1.300 8-3',
  download: 'M12 4v11m0 0 5-5m-5 5-5-5M4.500 20h15',
  edit: 'M4 20h4L19.500 8.500a2.100 2.100 0 0 0-4-4L4 16v4Zm10-13 4 4',
  events: 'M13 2.500 4.500 13.500H12l-1 8 8.500-11H12l1-8Z',
  expand: 'M14 4h6v6m0-6-7 7M10 20H4v-6m0 6 7-7',
  external: 'M14 4h6v6m0-6L11 13M18 14v6H4V6h6',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12Zm12.500 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z',
  filter: 'M3.500 5h17l-6.500 8v5.500l-4 2V13L3.500 5Z',
  history: 'M3.500 12a8.500 8.500 0 1 0 3-6.500L3.500 8m0-4.500V8H8m4-.500V12l3 2',
  home: 'M3.500 11.500 12 4l8.500 7.500M6 9.500V20h12V9.500M10 20v-6h4v6',
  keyboard: 'M3 6.500h18v11H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10',
  language:
    'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM3.500 12h17M12 3c2.500 2.500 3.700 5.500 3.700 9s-1.200 6.500-3.700 9c-2.500-2.500-3.700-5.500-3.700-9S9.500 5.500 12 3Z',
  link: 'M10 14a4 4 0 0 0 6 .500l3.500-3.500a4 4 0 0 0-6-6L12 6.500M14 10a4 4 0 0 0-6-.500L4.500 13a4 4 0 0 0 6 6L12 17.500',
  list: 'M8.500 6H20M8.500 12H20M8.500 18H20M4 6h.01M4 12h.01M4 18h.01',
  menu: 'M4 6.500h16M4 12h16M4 17.500h16',
  minus: 'M5 12h14',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  panel: 'M4 4.500h16v15H4zM9.500 4.500v15',
  pause: 'M8 5v14m8-14v14',
  play: 'M7 4.500v15l12.500-7.500L7 4.500Z',
  plus: 'M12 5v14M5 12h14',
  refresh:
    'M20 5v5h-5M4 19v-5h5M5.500 9.500A7.500 7.500 0 0 1 18.500 8L20 10M18.500 14.500A7.500 7.500 0 0 1 5.500 16L4 14',
  rules:
    'M12 3v3m0 12v3M3 12h3m12 0h3M17.500 12a5.500 5.500 0 1 1-11 0 5.500 5.500 0 0 1 11 0Zm-4 0a1.500 1.500 0 1 1-3 0 1.500 1.500 0 0 1 3 0Z',
  schedules: 'M4 6.500h16v14H4zM4 10.500h16M8 3.500v5m8-5v5M12 13v3l2 1',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13Zm5-1.500L20.500 20.500',
  settings:
    'M4 7h9m4 0h3M4 17h3m4 0h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm-6 10a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  share: 'M12 15V3.500m0 0 4 4m-4-4-4 4M6 11H4.500v9.500h15V11H18',
  signOut: 'M14 4.500H5v15h9M10 12h11m0 0-4-4m4 4-4 4',
  sources: 'M12 15V4m0 11-4-4m4 4 4-4M4 15v5h16v-5',
  star: 'M12 3.500l2.600 5.400 5.900.800-4.300 4.100 1 5.900-5.200-2.800-5.200 2.800 1-5.900L3.500 9.700l5.900-.800L12 3.500Z',
  stop: 'M6 6h12v12H6z',
  tables: 'M4 5h16v14H4zM4 10h16M4 14.500h16M10 10v9',
  theme: 'M12 3.500v17a8.500 8.500 0 0 0 0-17Zm0 0a8.500 8.500 0 0 0 0 17',
  tickets: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4V6Zm10 0v2m0 3v2m0 3v2',
  trash: 'M4.500 6.500h15M9 6.500V4h6v2.500M6.500 6.500l1 14h9l1-14M10 10.500v6m4-6v6',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.500 8.500c.800-3.500 3.800-5.500 7.500-5.500s6.700 2 7.500 5.500',
  users:
    'M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-6.500 8c.700-3 3.200-5 6.500-5s5.800 2 6.500 5M15.500 4.700a3.500 3.500 0 0 1 0 6.600M17.500 15c2 .700 3.500 2.300 4 4.500',
  wrap: 'M4 6h16M4 12h13a3 3 0 0 1 0 6h-4m0 0 2.500-2.500M13 18l2.500 2.500M4 18h4',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration: the text beside it, or the label of its button, says what it means. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
);
