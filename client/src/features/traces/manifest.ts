import {
  IN_BROWSER,
  IN_MESSAGES,
  inView,
  NEVER,
  ON_DESKTOP,
  onRow,
  TRUSTED,
  withIcon,
  type Manifest,
} from '../manifest.ts';

export const TRACES = {
  category: 'Parley Traces',
  commands: [
    {
      name: 'openCall',
      title: 'Show',
      icon: 'graph-line',
      palette: NEVER,
      menus: { 'view/item/context': { group: '1_show', when: onRow('traces', /^call\./) } },
    },
    {
      name: 'openSource',
      title: 'Go to Request',
      icon: 'go-to-file',
      palette: NEVER,
      menus: { 'view/item/context': { group: 'inline@2', when: onRow('traces', /^call\..*\.source$/) } },
    },
    {
      name: 'openRequest',
      title: 'Open Request',
      palette: NEVER,
      menus: { 'view/item/context': { group: '1_show@4', when: onRow('traces', /^call\./) } },
    },
    {
      name: 'openReply',
      title: 'Open Reply',
      palette: NEVER,
      menus: { 'view/item/context': { group: '1_show@5', when: onRow('traces', /^call\./) } },
    },
    {
      name: 'writeJsonCall',
      title: 'Write Request in JSON',
      enablement: TRUSTED,
      palette: NEVER,
      menus: { 'view/item/context': { group: '1_show@6', when: onRow('traces', /^call\./) } },
    },
    {
      name: 'exportTrace',
      title: 'Export…',
      menus: { 'view/item/context': { group: '6_send@2', when: onRow('traces', /^(call|trace)\./) } },
    },
    {
      name: 'copyTrace',
      title: 'Copy As…',
      menus: { 'view/item/context': { group: '6_send@3', when: onRow('traces', /^(call|trace)\./) } },
    },
    {
      name: 'compareTraces',
      title: 'Compare…',
      menus: { 'view/item/context': { group: '6_send@4', when: onRow('traces', /^(call|trace)\./) } },
    },
    {
      name: 'replayCall',
      title: 'Replay…',
      enablement: TRUSTED,
      menus: {
        'view/item/context': {
          group: '6_send@1',
          when: onRow('traces', /^(call|trace)\./, '!listMultiSelection'),
        },
      },
    },
    {
      name: 'sendAgain',
      title: 'Send Again',
      icon: 'refresh',
      enablement: ON_DESKTOP,
      menus: {
        'view/item/context': [
          { group: 'inline@3', when: onRow('traces', /^call\.(error|incomplete)/) },
          { group: '1_show@2', when: onRow('traces', /^call\.(ok|error|cancelled|incomplete)/) },
        ],
      },
    },
    {
      name: 'clearTraces',
      title: 'Clear…',
      icon: 'clear-all',
      menus: { 'view/title': { group: 'navigation@5', when: inView('traces') } },
    },
    {
      name: 'deleteTrace',
      title: 'Delete',
      icon: 'trash',
      palette: NEVER,
      menus: {
        'view/item/context': withIcon(9, '7_keep@2', onRow('traces', /\.top/)),
      },
      keys: [{ key: 'delete', mac: 'cmd+backspace', when: 'focusedView == parley.traces && !inputFocus' }],
    },
    {
      name: 'pinTrace',
      title: 'Pin',
      icon: 'pin',
      palette: NEVER,
      menus: { 'view/item/context': { group: '7_keep@1', when: onRow('traces', /\.top(?!\.pinned)/) } },
    },
    {
      name: 'unpinTrace',
      title: 'Unpin',
      icon: 'pinned',
      palette: NEVER,
      menus: {
        'view/item/context': withIcon(8, '7_keep@1', onRow('traces', /\.top\.pinned/)),
      },
    },
    {
      name: 'filterTraces',
      title: 'Filter…',
      palette: '!parley.tracesFiltered',
      icon: 'filter',
      menus: { 'view/title': { group: 'navigation@2', when: inView('traces') } },
    },
    {
      name: 'clearTraceFilter',
      title: 'Clear Filter',
      icon: 'close',
      palette: 'parley.tracesFiltered',
      menus: { 'view/title': { group: 'navigation@3', when: inView('traces', 'parley.tracesFiltered') } },
    },
    {
      name: 'pauseTraces',
      title: 'Pause View',
      icon: 'debug-pause',
      palette: '!parley.tracesPaused',
      menus: { 'view/title': { group: 'navigation@1', when: inView('traces', '!parley.tracesPaused') } },
    },
    {
      name: 'resumeTraces',
      title: 'Resume View',
      icon: 'debug-continue',
      palette: 'parley.tracesPaused',
      menus: { 'view/title': { group: 'navigation@1', when: inView('traces', 'parley.tracesPaused') } },
    },
    {
      name: 'openTrace',
      title: 'Open…',
      icon: 'folder-opened',
      menus: { 'view/title': { group: 'navigation@4', when: inView('traces') } },
    },
    {
      name: 'openAsTrace',
      title: 'Open as Trace',
      icon: 'graph-line',
      palette: NEVER,
      menus: {
        'editor/title': { group: 'navigation@1', when: 'resourceExtname == .har' },
        'explorer/context': {
          group: '3_parley@10',
          when: '!explorerResourceIsFolder && !listMultiSelection && resourceExtname =~ /^\\.(jsonl?|ndjson|har|sse)$/',
        },
      },
    },
    {
      name: 'pickTrace',
      title: 'Show Another Trace of This File…',
      icon: 'list-tree',
      palette: NEVER,
      menus: {
        'editor/title': {
          group: 'navigation@1',
          when: 'activeCustomEditorId =~ /^parley\\.(trace|otherTrace)$/',
        },
      },
    },
    { name: 'showCalls', title: 'Show Calls of This Request', icon: 'graph-line', palette: IN_MESSAGES },
  ],
  views: [
    {
      id: 'traces',
      name: 'Traces',
      size: 3,
      welcome: [
        {
          contents:
            'Requests that you send appear here while they run, then with their status and time.\n[New request](command:parley.newJsonRequest)\nYou can also choose Send above a request in a file, or [open a trace](command:parley.openTrace).',
          when: `workspaceFolderCount != 0 && ${TRUSTED}`,
        },
        {
          contents:
            'This workspace is not trusted, so nothing is sent from it.\n[Manage workspace trust](command:workbench.trust.manage)',
          when: `!isWorkspaceTrusted && ${ON_DESKTOP}`,
        },
        {
          contents:
            'Requests that you send appear here. The agents that they go to are listed in a folder.\n[Open folder](command:vscode.openFolder)',
          when: `workspaceFolderCount == 0 && ${TRUSTED}`,
        },
        {
          contents:
            'A browser sends no requests, but shows traces of files.\n[Open trace](command:parley.openTrace)',
          when: IN_BROWSER,
        },
      ],
    },
  ],
} as const satisfies Manifest;
