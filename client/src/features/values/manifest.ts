import { IN_AICL, IN_MESSAGES, ON_MESSAGES, type Manifest } from '../manifest.ts';

export const VALUES = {
  category: 'Parley',
  commands: [
    {
      name: 'editText',
      title: 'Edit Text',
      icon: 'edit',
      palette: IN_AICL,
      menus: { 'parley.editor': { group: '3_values@1', when: IN_AICL } },
    },
    {
      name: 'showMedia',
      title: 'Show Image, Audio or File',
      icon: 'file-media',
      palette: ON_MESSAGES,
      menus: { 'parley.editor': { group: '3_values@2', when: IN_MESSAGES } },
    },
  ],
} as const satisfies Manifest;
