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

export const SEND = {
  category: 'Parley',
  commands: [
    { name: 'pickAgent', title: 'Pick Agent…' },
    {
      name: 'send',
      title: 'Send Request',
      icon: 'play',
      enablement: ON_DESKTOP,
      palette: `${IN_MESSAGES} && ${EDITABLE} && ${ON_DESKTOP}`,
      menus: {
        'editor/title/run': { when: `${IN_MESSAGES} && ${EDITABLE} && ${TRUSTED}` },
        'parley.editor': { group: '1_send@1', when: `${IN_MESSAGES} && ${EDITABLE} && ${TRUSTED}` },
        'editor/lineNumber/context': {
          group: '1_parley',
          when: `${IN_MESSAGES} && ${EDITABLE} && ${TRUSTED}`,
        },
      },
      keys: [
        {
          key: 'ctrl+alt+enter',
          mac: 'cmd+alt+enter',
          when: `editorTextFocus && ${IN_MESSAGES} && ${EDITABLE} && ${ON_DESKTOP}`,
        },
      ],
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
      palette: `${IN_MESSAGES} && ${EDITABLE} && ${ON_DESKTOP} && editorHasSelection`,
      menus: {
        'parley.editor': {
          group: '1_send@2',
          when: `${IN_MESSAGES} && ${EDITABLE} && ${TRUSTED} && editorHasSelection`,
        },
      },
    },
    {
      name: 'sendAll',
      title: 'Send All Requests',
      icon: 'run-all',
      enablement: ON_DESKTOP,
      palette: `${IN_MESSAGES} && ${EDITABLE} && ${ON_DESKTOP}`,
      menus: {
        'editor/title/run': { when: `${IN_MESSAGES} && ${EDITABLE} && ${TRUSTED}` },
        'parley.editor': { group: '1_send@3', when: `${IN_MESSAGES} && ${EDITABLE} && ${TRUSTED}` },
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
