import { EDITABLE, IN_TEXT_MESSAGES, ON_MESSAGE_FILE, ON_MESSAGES, type Manifest } from '../manifest.ts';

export const CONVERT = {
  category: 'Parley',
  commands: [
    {
      name: 'convert',
      title: 'Convert…',
      icon: 'arrow-swap',
      palette: 'editorIsOpen',
      menus: {
        'editor/title': { group: 'navigation', when: 'resourceScheme == parley-convert' },
        'parley.editor': { group: '2_convert@1', when: ON_MESSAGES },
        'explorer/context': { group: '3_parley@8', when: ON_MESSAGE_FILE },
      },
    },
    {
      name: 'pasteMessages',
      title: 'Paste Messages',
      palette: EDITABLE,
      menus: { 'parley.editor': { group: '2_convert@2', when: `${IN_TEXT_MESSAGES} && !editorReadonly` } },
    },
  ],
} as const satisfies Manifest;
