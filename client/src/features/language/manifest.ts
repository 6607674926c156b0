import { EDITABLE, type Manifest } from '../manifest.ts';

export const LANGUAGE = {
  category: 'Parley',
  commands: [
    { name: 'pickDialect', title: 'Read AICF File As…', palette: `editorLangId == aicf && ${EDITABLE}` },
    { name: 'showLog', title: 'Show Log', icon: 'output' },
    { name: 'restartServer', title: 'Restart Language Server' },
  ],
} as const satisfies Manifest;
