import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { MANIFESTS, type CommandName } from '../../../client/src/features/manifests.ts';
import type { Manifest } from '../../../client/src/features/manifest.ts';
import { printContributions } from '../../../scripts/generate/contributions.ts';

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

describe('manifest', () => {
  const { commands, menus, keybindings, views, viewsWelcome } = MANIFEST.contributes;

  it('contributes each command of a feature once', () => {
    const names = commands.map(row => row.command);
    assert.deepEqual(names, [...new Set(names)]);
    assert.equal(
      names.length,
      MANIFESTS.reduce((sum, each) => sum + each.commands.length, 0),
    );
  });

  it('is printed from the rows of features', () => {
    const planted = {
      category: 'Plant',
      commands: [
        {
          name: 'grow',
          title: 'Grow',
          icon: 'add',
          enablement: 'sun',
          palette: 'soil',
          menus: { 'editor/title': { group: 'navigation' }, 'view/title': [{ when: 'a' }, { when: 'b' }] },
          keys: [{ key: 'ctrl+g', when: 'soil' }],
        },
      ],
      views: [{ id: 'pots', name: 'Pots', size: 2, welcome: [{ contents: 'No pot', when: 'soil' }] }],
    } as const satisfies Manifest;
    const command = 'parley.grow';
    assert.deepEqual(printContributions([planted]), {
      commands: [{ command, title: 'Grow', category: 'Plant', icon: '$(add)', enablement: 'sun' }],
      keybindings: [{ command, key: 'ctrl+g', when: 'soil' }],
      menus: {
        commandPalette: [{ command, when: 'soil' }],
        'editor/title': [{ command, group: 'navigation' }],
        'view/title': [
          { command, when: 'a' },
          { command, when: 'b' },
        ],
      },
      views: { parley: [{ id: 'parley.pots', name: 'Pots', icon: 'media/parley.svg', size: 2 }] },
      viewsWelcome: [{ view: 'parley.pots', contents: 'No pot', when: 'soil' }],
    });
  });

  it('names only its own commands in menus, keys and welcome texts', () => {
    const known = new Set(commands.map(row => row.command));
    const links = [...JSON.stringify(viewsWelcome).matchAll(/\(command:(parley\.[^)]*)\)/g)].map(
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
    assert.deepEqual(hidden.sort(), [...INTERNAL_COMMANDS].sort());
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

  it('welcomes in views that exist', () => {
    const ids = new Set(Object.values(views).flatMap(rows => rows.map(row => row.id)));
    assert.deepEqual(
      viewsWelcome.filter(row => !ids.has(row.view)),
      [],
    );
  });
});
