import { ON_MESSAGE_FILE, ON_MESSAGES, type Manifest } from '../manifest.ts';

export const COST = {
  category: 'Parley',
  commands: [
    {
      name: 'compareCost',
      title: 'Compare Cost',
      palette: 'editorIsOpen',
      menus: {
        'parley.editor': { group: '2_convert@3', when: ON_MESSAGES },
        'explorer/context': { group: '3_parley@9', when: ON_MESSAGE_FILE },
      },
    },
    { name: 'showTokenCounts', title: 'Show Token Counts', palette: '!config.parley.codeLens.tokens' },
    { name: 'hideTokenCounts', title: 'Hide Token Counts', palette: 'config.parley.codeLens.tokens' },
  ],
} as const satisfies Manifest;
