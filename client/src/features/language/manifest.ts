import { EDITABLE, ON_MESSAGES, type Manifest } from '../manifest.ts';

export const LANGUAGE = {
  category: 'Parley',
  commands: [
    { name: 'pickDialect', title: 'Read AICF File As…', palette: `editorLangId == aicf && ${EDITABLE}` },
    { name: 'showLog', title: 'Show Log', icon: 'output' },
    { name: 'restartServer', title: 'Restart Language Server' },
  ],
  submenus: [
    { id: 'parley.editor', title: 'Parley', menu: 'editor/context', group: '1_parley@1', when: ON_MESSAGES },
  ],
} as const satisfies Manifest;
