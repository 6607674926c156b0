import {
  EDITABLE,
  IN_MESSAGES,
  IN_OTHER_JSON,
  ON_DESKTOP,
  onRow,
  TRUSTED,
  withIcon,
  type Manifest,
} from '../manifest.ts';

/** An editor with requests, and one whose folder is trusted with sending them. */
const WITH_REQUESTS = `${IN_MESSAGES} && ${EDITABLE} && ${ON_DESKTOP}`;
const SENDING = `${IN_MESSAGES} && ${EDITABLE} && ${TRUSTED}`;

export const SEND = {
  category: 'Parley',
  commands: [
    { name: 'pickAgent', title: 'Pick Agent…' },
    {
      name: 'send',
      title: 'Send Request',
      icon: 'play',
      enablement: ON_DESKTOP,
      palette: WITH_REQUESTS,
      menus: {
        'editor/title/run': { when: SENDING },
        'parley.editor': { group: '1_send@1', when: SENDING },
        'editor/lineNumber/context': { group: '1_parley', when: SENDING },
      },
      keys: [{ key: 'ctrl+alt+enter', mac: 'cmd+alt+enter', when: `editorTextFocus && ${WITH_REQUESTS}` }],
    },
    {
      name: 'stopCall',
      title: 'Stop Request',
      icon: 'debug-stop',
      palette: 'parley.callsRunning',
      menus: {
        'editor/title': {
          group: 'navigation@3',
          when: 'resourceScheme == parley-reply && resource in parley.growingReplies',
        },
        'view/item/context': withIcon(1, '0_stop', onRow('traces', /^call\.open/)),
      },
      keys: [{ key: 'ctrl+alt+.', when: 'parley.callsRunning' }],
    },
    {
      name: 'sendSelection',
      title: 'Send Selected Requests',
      icon: 'run-all',
      enablement: ON_DESKTOP,
      palette: `${WITH_REQUESTS} && editorHasSelection`,
      menus: {
        'parley.editor': { group: '1_send@2', when: `${SENDING} && editorHasSelection` },
      },
    },
    {
      name: 'sendAll',
      title: 'Send All Requests',
      icon: 'run-all',
      enablement: ON_DESKTOP,
      palette: WITH_REQUESTS,
      menus: {
        'editor/title/run': { when: SENDING },
        'parley.editor': { group: '1_send@3', when: SENDING },
      },
    },
    {
      name: 'sendText',
      title: 'Send Selection as Request',
      icon: 'play',
      enablement: ON_DESKTOP,
      palette: `${IN_OTHER_JSON} && ${EDITABLE} && ${ON_DESKTOP}`,
      menus: {
        'parley.editor': { group: '1_send@4', when: `${IN_OTHER_JSON} && ${EDITABLE} && ${TRUSTED}` },
      },
    },
  ],
} as const satisfies Manifest;
