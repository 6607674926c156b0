import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { COMMAND_NAMES, type CommandName } from '../../../client/src/commands/names.ts';

/** Commands that need arguments from lenses, rows or buttons, so they are hidden from the command palette. */
const INTERNAL_COMMANDS: readonly CommandName[] = [
  'parley.insertCall',
  'parley.copyCall',
  'parley.moveCredential',
  'parley.openCall',
  'parley.openSource',
  'parley.openRequest',
  'parley.openReply',
  'parley.deleteTrace',
  'parley.pinTrace',
  'parley.unpinTrace',
];

const ROOT = new URL('../../../', import.meta.url);
const TEXT = readFileSync(new URL('package.json', ROOT), 'utf8');
const MANIFEST = JSON.parse(TEXT) as {
  contributes: {
    commands: { command: string; enablement?: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    keybindings: { command: string; key: string; when: string }[];
    views: Record<string, { id: string }[]>;
    viewsWelcome: { view: string }[];
  };
};
const STRINGS = JSON.parse(readFileSync(new URL('package.nls.json', ROOT), 'utf8')) as Record<string, string>;

describe('manifest', () => {
  const { commands, menus, keybindings, views, viewsWelcome } = MANIFEST.contributes;

  it('contributes the commands that are registered, and no others', () => {
    assert.deepEqual(
      commands.map(row => row.command),
      [...COMMAND_NAMES],
    );
  });

  it('names only its own commands in menus, keys and welcome texts', () => {
    const known = new Set<string>(COMMAND_NAMES);
    const links = [...JSON.stringify(STRINGS).matchAll(/\(command:(parley\.[^)]*)\)/g)].map(
      found => found[1] ?? '',
    );
    const named = [...Object.values(menus).flat(), ...keybindings].map(row => row.command);
    assert.deepEqual(
      [...named, ...links].filter(name => !known.has(name)),
      [],
    );
  });

  it('hides from the palette what needs arguments', () => {
    const hidden = (menus['commandPalette'] ?? [])
      .filter(row => row.when === 'false')
      .map(row => row.command);
    assert.deepEqual(hidden, [...INTERNAL_COMMANDS]);
  });

  it('lets Send say in a workspace that is not trusted why it sends nothing', () => {
    const palette = menus['commandPalette'] ?? [];
    const rows = [...commands, ...palette, ...keybindings].filter(row => row.command === 'parley.send');
    assert.deepEqual([rows.length, /Trusted/i.test(JSON.stringify(rows))], [3, false]);
  });

  it('stops what runs from the palette, a key and its row', () => {
    const whenOf = (rows: readonly { command: string; when?: string }[] = []): readonly unknown[] =>
      rows.filter(row => row.command === 'parley.stopCall').map(row => row.when);
    const row = 'view == parley.traces && viewItem =~ /^call\\.open/';
    assert.deepEqual(
      [whenOf(menus['commandPalette']), whenOf(keybindings), whenOf(menus['view/item/context'])],
      [['parley.callsRunning'], ['parley.callsRunning'], [row, row]],
    );
  });

  it('offers conversion, cost and paste in the menus of editors, and of files in the explorer', () => {
    const messages =
      'editorLangId =~ /^(aic[lf]|jsonc?|jsonl)$/ || editorLangId == plaintext && editorHasSelection';
    const files =
      '!explorerResourceIsFolder && !listMultiSelection && resourceExtname =~ /^\\.(aicl|aicf|jsonl?|ndjson|sse)$/';
    const about = /^parley\.(convert|compareCost|pasteAs)/;
    const rowsOf = (menu: string): readonly unknown[] =>
      (menus[menu] ?? [])
        .filter(({ command }) => about.test(command))
        .map(({ command, when }) => [command, when])
        .sort();
    assert.deepEqual(
      [rowsOf('editor/context'), rowsOf('explorer/context')],
      [
        [
          ['parley.compareCost', messages],
          ['parley.convert', messages],
          ['parley.pasteAsAicf', 'editorLangId == aicf && !editorReadonly'],
          ['parley.pasteAsAicl', 'editorLangId == aicl && !editorReadonly'],
        ],
        [
          ['parley.compareCost', files],
          ['parley.convert', files],
        ],
      ],
    );
    // A view beside takes nothing in its place.
    const palette = new Map((menus['commandPalette'] ?? []).map(({ command, when }) => [command, when]));
    const asked = ['parley.convert', 'parley.copyAs', 'parley.showAs', 'parley.compareCost'] as const;
    assert.deepEqual(
      [...asked, 'parley.convertAndReplace'].map(command => [command, palette.get(command)]),
      [
        ['parley.convert', 'editorIsOpen'],
        ['parley.copyAs', 'editorIsOpen'],
        ['parley.showAs', 'editorIsOpen'],
        ['parley.compareCost', 'editorIsOpen'],
        [
          'parley.convertAndReplace',
          'editorIsOpen && resourceScheme != parley-reply && resourceScheme != parley-convert',
        ],
      ],
    );
  });

  it('has a text for every key, and a key for every text', () => {
    const used = [...TEXT.matchAll(/"%([^%"]+)%"/g)].map(found => found[1] ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(STRINGS).sort());
  });

  it('welcomes in views that exist', () => {
    const ids = new Set(Object.values(views).flatMap(rows => rows.map(row => row.id)));
    assert.deepEqual(
      viewsWelcome.filter(row => !ids.has(row.view)),
      [],
    );
  });
});
