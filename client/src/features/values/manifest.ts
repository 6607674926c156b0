import { IN_AICL, type Manifest } from '../manifest.ts';

export const VALUES = {
  category: 'Parley',
  commands: [
    {
      name: 'editText',
      title: 'Edit Text',
      icon: 'edit',
      palette: IN_AICL,
      menus: { 'editor/context': { group: '1_parley@1', when: IN_AICL } },
    },
    { name: 'showMedia', title: 'Show Image, Audio or File', icon: 'file-media', palette: 'editorIsOpen' },
  ],
} as const satisfies Manifest;
