import { type Manifest } from '../manifest.ts';

export const COST = {
  category: 'Parley',
  commands: [
    {
      name: 'compareCost',
      title: 'Compare Cost',
      palette: 'editorIsOpen',
      menus: {
        'editor/context': {
          group: '1_parley@9',
          when: 'editorLangId =~ /^(aic[lf]|jsonc?|jsonl)$/ || editorLangId == plaintext && editorHasSelection',
        },
        'explorer/context': {
          group: '3_parley@9',
          when: '!explorerResourceIsFolder && !listMultiSelection && resourceExtname =~ /^\\.(aicl|aicf|jsonl?|ndjson|sse)$/',
        },
      },
    },
    { name: 'showTokenCounts', title: 'Show Token Counts', palette: '!config.parley.codeLens.tokens' },
    { name: 'hideTokenCounts', title: 'Hide Token Counts', palette: 'config.parley.codeLens.tokens' },
  ],
} as const satisfies Manifest;
