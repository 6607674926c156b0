import { EDITABLE, IN_AICL, type Manifest } from '../manifest.ts';

export const CONVERT = {
  category: 'Parley',
  commands: [
    {
      name: 'convert',
      title: 'Convert…',
      icon: 'arrow-swap',
      palette: 'editorIsOpen',
      menus: {
        'editor/context': {
          group: '1_parley@4',
          when: 'editorLangId =~ /^(aic[lf]|jsonc?|jsonl)$/ || editorLangId == plaintext && editorHasSelection',
        },
        'explorer/context': {
          group: '3_parley@8',
          when: '!explorerResourceIsFolder && !listMultiSelection && resourceExtname =~ /^\\.(aicl|aicf|jsonl?|ndjson|sse)$/',
        },
      },
    },
    {
      name: 'convertAndReplace',
      title: 'Convert and Replace…',
      icon: 'replace',
      palette: `editorIsOpen && ${EDITABLE}`,
    },
    { name: 'copyAs', title: 'Copy As…', icon: 'copy', palette: 'editorIsOpen' },
    { name: 'showAs', title: 'Show As…', icon: 'open-preview', palette: 'editorIsOpen' },
    {
      name: 'switchConversion',
      title: 'Show in Another Protocol…',
      icon: 'arrow-swap',
      palette: 'resourceScheme == parley-convert',
      menus: { 'editor/title': { group: 'navigation', when: 'resourceScheme == parley-convert' } },
    },
    {
      name: 'pasteAsAicl',
      title: 'Paste as AICL',
      menus: { 'editor/context': { group: '9_cutcopypaste@5', when: `${IN_AICL} && !editorReadonly` } },
    },
    {
      name: 'pasteAsAicf',
      title: 'Paste as AICF',
      menus: {
        'editor/context': { group: '9_cutcopypaste@5', when: 'editorLangId == aicf && !editorReadonly' },
      },
    },
  ],
} as const satisfies Manifest;
