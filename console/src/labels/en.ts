// The texts of the console in English: one object, whose type the other languages have. A text with a hole is a function.

import { administrationEn } from './administration.ts';
import { auditEn } from './audit.ts';
import { dashboardsEn } from './dashboards.ts';
import { eventsEn } from './events.ts';
import { formEn } from './form.ts';
import { homeEn } from './home.ts';
import { queryEditorEn } from './query-editor.ts';
import { rulesEn } from './rules.ts';
import { schedulesEn } from './schedules.ts';
import { searchEn } from './search.ts';
import { slotsEn } from './slots.ts';
import { sourcesEn } from './sources.ts';
import { tablesEn } from './tables.ts';
import { ticketsEn } from './tickets.ts';

export const en = {
  product: 'Vigil',
  pages: {
    home: 'Home',
    search: 'Search',
    events: 'Events',
    rules: 'Rules',
    schedules: 'Schedules',
    sources: 'Sources',
    tables: 'Tables',
    tickets: 'Tickets',
    dashboards: 'Dashboards',
    audit: 'Audit',
    administration: 'Administration',
  },
  common: {
    add: 'Add',
    apply: 'Apply',
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied.',
    copyFailed: 'The browser does not allow copying here.',
    copy: 'Copy',
    delete: 'Delete',
    edit: 'Edit',
    loading: 'Loading…',
    more: 'More',
    no: 'No',
    refresh: 'Refresh',
    retry: 'Try again',
    save: 'Save',
    yes: 'Yes',
    all: 'All',
    none: 'None',
    total: 'Total',
    name: 'Name',
    time: 'Time',
    status: 'Status',
  },
  signIn: {
    title: 'Sign in to Vigil',
    key: 'API key',
    keyHint: 'Keys begin with vgl_. The first one was printed when the service started for the first time.',
    submit: 'Sign in',
    link: {
      title: 'Sign in with this link?',
      signedIn: (name: string, login: string) => `This browser is signed in as ${name} (${login}).`,
      text: 'The link may belong to another account. If you sign in with it, everything that you do in this browser from then on is done as that account. Sign in with it only if you asked for it.',
      stay: (login: string) => `Stay signed in as ${login}`,
      switch: 'Sign in with the link',
      refused: 'This link is no longer valid: it works once and for ten minutes. You are still signed in.',
    },
    wrongKey: 'This key is not valid here: it is unknown, expired, revoked, or not allowed from this address.',
    wrongCode:
      'This link is no longer valid: it works once and for ten minutes. Sign in with a key, or ask for a new link.',
    expired: 'The session has ended. Sign in again to continue where you were.',
    expiredUnsaved: 'The session has ended. Sign in again: what you have entered is still there.',
    tooMany: 'Too many attempts. Wait a minute, then try again.',
    missingKey: 'Enter a key.',
    show: 'Show key',
    hide: 'Hide key',
  },
  shell: {
    skip: 'Skip to content',
    navigation: 'Pages',
    openNavigation: 'Open navigation',
    collapse: 'Collapse navigation',
    expand: 'Expand navigation',
    account: 'Account',
    signOut: 'Sign out',
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    timeZone: 'Time zone',
    zones: {
      account: (zone: string) => `${zone} (account)`,
      browser: (zone: string) => `${zone} (browser)`,
    },
    reference: 'Reference of operations',
    help: 'Keyboard shortcuts',
    palette: 'Go to…',
    paletteHint: 'Type a page or an action',
    paletteEmpty: 'Nothing fits.',
    groups: { pages: 'Pages', actions: 'Actions' },
    offline: 'The service does not answer. Trying to connect…',
    online: 'The service answers again.',
    notFoundTitle: 'There is no such page',
    notFoundText: (path: string) => `Nothing is at ${path}.`,
    goHome: 'Go to the first page',
    forbiddenTitle: 'This page is not for your role',
    forbiddenText: (needed: string, own: string) => `It needs the role ${needed}; your account has the role ${own}.`,
    notLoaded: {
      waiting: 'This page is not loaded yet',
      newer: 'A newer version is available',
      missing: 'A file of this page is missing',
    },
    notLoadedText: {
      waiting: 'It is loaded as soon as the service answers.',
      newer: 'Load the console again to go on with it.',
      missing: 'The service does not have it at the moment. It is asked for again by itself.',
    },
    reload: 'Load again',
  },
  shortcuts: {
    palette: 'Open the list of pages and actions',
    help: 'Show keyboard shortcuts',
    goTo: (page: string) => `Go to ${page}`,
    general: 'Everywhere',
    page: 'On this page',
  },
  table: {
    sort: (column: string) => `Sort by ${column}`,
    rows: (count: string) => (count === '1' ? '1 row' : `${count} rows`),
    select: 'Select row',
    selectAll: 'Select all rows',
    expand: 'Show details',
    find: 'Find in the list',
    clear: 'Clear the choice',
  },
  range: {
    label: 'Time range',
    relative: 'Up to now',
    absolute: 'From and to',
    from: 'From',
    to: 'To',
    now: 'now',
    wrongOrder: 'The beginning must be before the end.',
    last: {
      '5m': 'Last 5 minutes',
      '15m': 'Last 15 minutes',
      '1h': 'Last hour',
      '6h': 'Last 6 hours',
      '24h': 'Last 24 hours',
      '7d': 'Last 7 days',
      '30d': 'Last 30 days',
    },
    lastOther: (text: string) => `Last ${text}`,
  },
  times: {
    service: (stamp: string) => `Service: ${stamp}`,
    asOf: (time: string, age: string) => `As of ${time}, ${age}`,
    secondsAgo: (count: number) => `${count} s ago`,
    minutesAgo: (count: number) => `${count} min ago`,
    hoursAgo: (count: number) => `${count} h ago`,
    daysAgo: (count: number) => `${count} d ago`,
    inFuture: 'in the future',
  },
  status: { new: 'New', seen: 'Seen', closed: 'Closed', 'false-positive': 'False positive' },
  priority: { HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low' },
  roles: { MASTER: 'Master', ADMIN: 'Administrator', MEMBER: 'Member' },
  failures: {
    title: 'This could not be loaded',
    unreachable: 'The service does not answer.',
    unauthorized: 'The session has ended.',
    'no-permission': 'Your account may not do this.',
    'too-many-requests': 'Too many requests at once. Try again in a moment.',
    unavailable: 'The service is starting or stopping, or a part of it does not answer.',
    'internal-error': 'The service has met an internal error.',
    'request-too-large': 'The request is too large.',
    'invalid-query': 'The query has a mistake.',
    'not-found': 'The service has no such operation. It may be older than this page.',
    missing: (thing: string) => `It is not there any more: ${thing}.`,
    duplicate: (name: string) => `The name ${name} is taken.`,
    refused: (message: string) => `The service has refused: ${message}`,
    requestId: (id: string) => `Request ${id}`,
  },
  queryEditor: queryEditorEn,
  form: formEn,
  search: searchEn,
  events: eventsEn,
  audit: auditEn,
  tickets: ticketsEn,
  dashboards: dashboardsEn,
  rules: rulesEn,
  schedules: schedulesEn,
  slots: slotsEn,
  home: homeEn,
  sources: sourcesEn,
  administration: administrationEn,
  tables: tablesEn,
  charts: {
    rows: 'Rows',
    bytes: 'Bytes',
    zoomHint: 'Drag to zoom',
    chart: (title: string) => `Chart: ${title}`,
    noData: 'No data in this range',
    others: 'Others',
  },
};

type Widened<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

export type Labels = Widened<typeof en>;
