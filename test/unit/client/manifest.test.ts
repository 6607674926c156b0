import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { MANIFESTS, type CommandName } from '../../../client/src/features/manifests.ts';
import type { Manifest } from '../../../client/src/features/manifest.ts';
import { CONTEXT_KEYS } from '../../../client/src/features/manifest.ts';
import { findProtocol } from '../../../core/catalog/protocols.ts';
import { holds, keysOf, type Context } from './support/when.ts';
import { printContributions } from '../../../scripts/generate/contributions.ts';

/** Commands that need arguments from lenses, rows or buttons, so they are hidden from the command palette. */
const INTERNAL_COMMANDS: readonly CommandName[] = [
  'parley.bridgeAgent',
  'parley.copyBridgeAddress',
  'parley.copyCall',
  'parley.copyRecordingAddress',
  'parley.correctAgent',
  'parley.deleteTrace',
  'parley.insertCall',
  'parley.insertRequest',
  'parley.messageAgent',
  'parley.moveCredential',
  'parley.newAicfFile',
  'parley.newAiclFile',
  'parley.newJsonRequest',
  'parley.openAsTrace',
  'parley.openCall',
  'parley.openReply',
  'parley.openRequest',
  'parley.openSource',
  'parley.pickTrace',
  'parley.pinTrace',
  'parley.refreshAgent',
  'parley.removeAgent',
  'parley.renameAgent',
  'parley.sendToCollector',
  'parley.signOut',
  'parley.stopBridge',
  'parley.unpinTrace',
  'parley.writeJsonCall',
  'parley.writeJsonRequest',
];

/** A trusted folder on a computer with a file in front, in which nothing runs. */
const AT_REST: Context = {
  isWorkspaceTrusted: true,
  editorIsOpen: true,
  editorTextFocus: true,
  editorLangId: 'aicf',
  resourceScheme: 'file',
  resource: 'file:///hello.aicf',
};

/** The same window with everything under way that has commands of its own. */
const AT_WORK: Context = {
  ...AT_REST,
  editorHasSelection: true,
  'config.parley.codeLens.tokens': true,
  'parley.agentsConnected': true,
  'parley.callsRunning': true,
  'parley.demoRunning': true,
  'parley.recording': true,
  'parley.tracesFiltered': true,
  'parley.tracesPaused': true,
};

/** The titles that the command palette lists. */
function palette(context: Context): readonly string[] {
  return MANIFESTS.flatMap(({ category, commands }: Manifest) =>
    commands
      .filter(row => [row.palette, row.enablement].every(when => when === undefined || holds(when, context)))
      .map(row => `${category}: ${row.title}`),
  );
}

const ROOT = new URL('../../../', import.meta.url);
const TEXT = readFileSync(new URL('package.json', ROOT), 'utf8');
const MANIFEST = JSON.parse(TEXT) as {
  contributes: {
    commands: { command: string; enablement?: string }[];
    menus: Record<string, { command: string; submenu?: string; when?: string }[]>;
    submenus: { id: string }[];
    keybindings: { command: string; key: string; when: string }[];
    views: Record<string, { id: string }[]>;
    viewsWelcome: { view: string; contents: string; when: string }[];
    walkthroughs: {
      steps: { description: string; media: { markdown: string }; completionEvents: string[] }[];
    }[];
    languages: { id: string }[];
  };
};

describe('manifest', () => {
  const { commands, menus, submenus, keybindings, views, viewsWelcome } = MANIFEST.contributes;

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
      submenus: [{ id: 'parley.bed', title: 'Bed', menu: 'editor/title', when: 'soil' }],
      views: [{ id: 'pots', name: 'Pots', size: 2, welcome: [{ contents: 'No pot', when: 'soil' }] }],
      walkthroughs: [
        {
          id: 'garden',
          title: 'A garden',
          description: 'Grow.',
          steps: [
            {
              id: 'dig',
              title: 'Dig',
              description: 'Deep.',
              media: 'dig.md',
              completedBy: ['onView:parley.pots'],
            },
          ],
        },
      ],
    } as const satisfies Manifest;
    const command = 'parley.grow';
    assert.deepEqual(printContributions([planted]), {
      commands: [{ command, title: 'Grow', category: 'Plant', icon: '$(add)', enablement: 'sun' }],
      keybindings: [{ command, key: 'ctrl+g', when: 'soil' }],
      menus: {
        commandPalette: [{ command, when: 'soil' }],
        'editor/title': [
          { submenu: 'parley.bed', when: 'soil' },
          { command, group: 'navigation' },
        ],
        'view/title': [
          { command, when: 'a' },
          { command, when: 'b' },
        ],
      },
      submenus: [{ id: 'parley.bed', label: 'Bed' }],
      views: { parley: [{ id: 'parley.pots', name: 'Pots', icon: 'media/parley.svg', size: 2 }] },
      viewsWelcome: [{ view: 'parley.pots', contents: 'No pot', when: 'soil' }],
      walkthroughs: [
        {
          id: 'garden',
          title: 'A garden',
          description: 'Grow.',
          steps: [
            {
              id: 'dig',
              title: 'Dig',
              description: 'Deep.',
              media: { markdown: 'dig.md' },
              completionEvents: ['onView:parley.pots'],
            },
          ],
        },
      ],
    });
  });

  it('names only its own commands and submenus in menus, keys and welcome texts', () => {
    const known = new Set(commands.map(row => row.command));
    const links = [...JSON.stringify(viewsWelcome).matchAll(/\(command:(parley\.[^)]*)\)/g)].map(
      found => found[1] ?? '',
    );
    const rows = Object.values(menus).flat();
    const named = [...rows.filter(row => row.submenu === undefined), ...keybindings].map(row => row.command);
    assert.deepEqual(
      [...named, ...links].filter(name => !known.has(name)),
      [],
    );
    const shown = rows.flatMap(row => row.submenu ?? []);
    assert.deepEqual(
      shown,
      submenus.map(({ id }) => id),
    );
    assert.deepEqual(
      shown.filter(id => !menus[id]),
      [],
    );
  });

  /** The targets of links to commands in Markdown, with their arguments. */
  function commandLinks(markdown: string): readonly string[] {
    return [...markdown.matchAll(/\(command:([^)\s]*)\)/g)].map(([, link = '']) => link);
  }

  it('offers one next step in an empty view, by what stands in its way', () => {
    const states: readonly (readonly [step: RegExp, context: Context])[] = [
      [
        /^(parley\.addAgent|parley\.newJsonRequest)$/,
        { isWorkspaceTrusted: true, workspaceFolderCount: '1' },
      ],
      [/^workbench\.trust\.manage$/, { isWorkspaceTrusted: false, workspaceFolderCount: '1' }],
      [/^workbench\.trust\.manage$/, { isWorkspaceTrusted: false, workspaceFolderCount: '0' }],
      [/^vscode\.openFolder$/, { isWorkspaceTrusted: true, workspaceFolderCount: '0' }],
      [
        /^parley\.open(AgentsFile|Trace)$/,
        { isWorkspaceTrusted: true, workspaceFolderCount: '1', 'parley.inBrowser': true },
      ],
    ];
    for (const view of ['parley.agents', 'parley.traces'])
      for (const [step, context] of states) {
        const shown = viewsWelcome.filter(row => row.view === view && holds(row.when, context));
        // A link on a line of its own is a button.
        const buttons = shown.flatMap(row =>
          row.contents.split('\n').filter(line => /^\[[^\]]*\]\([^)]*\)$/.test(line)),
        );
        assert.deepEqual([shown.length, buttons.length], [1, 1], `${view} ${JSON.stringify(context)}`);
        assert.match(commandLinks(buttons[0] ?? '')[0] ?? '', step);
      }
  });

  it('has walkthroughs whose links, pictures and ends exist', () => {
    const { walkthroughs, languages } = MANIFEST.contributes;
    const steps = walkthroughs.flatMap(each => each.steps);
    assert.deepEqual([walkthroughs.length, steps.length > 12], [4, true]);
    const ours = new Set([
      ...commands.map(row => row.command),
      ...Object.values(views).flatMap(rows => rows.map(row => `${row.id}.focus`)),
    ]);
    const events = new Set([
      ...commands.map(row => `onCommand:${row.command}`),
      ...Object.values(views).flatMap(rows => rows.map(row => `onView:${row.id}`)),
      ...CONTEXT_KEYS.map(key => `onContext:parley.${key}`),
      ...languages.map(({ id }) => `onLanguage:${id}`),
    ]);
    for (const { description, media, completionEvents } of steps) {
      const links = commandLinks(description);
      assert.ok(links.length > 0, description);
      for (const link of links) {
        const [command = '', query] = link.split('?');
        assert.ok(ours.has(command), link);
        if (query !== undefined)
          assert.ok(findProtocol((JSON.parse(decodeURIComponent(query)) as unknown[])[0]));
      }
      assert.ok(
        completionEvents.length > 0 && completionEvents.every(event => events.has(event)),
        description,
      );
      const text = readFileSync(new URL(media.markdown, ROOT), 'utf8');
      assert.match(text, /^# /);
      assert.ok(text.length < 1_500, media.markdown);
    }
    const shown = new Set(steps.map(({ media }) => media.markdown));
    const files = globSync('media/walkthroughs/*', { cwd: ROOT }).map(path => path.replaceAll('\\', '/'));
    assert.deepEqual(files.sort(), [...shown].sort());
  });

  it('reads only context keys that are set', () => {
    const conditions = [...Object.values(menus).flat(), ...commands, ...keybindings].flatMap(row =>
      ['when' in row ? row.when : undefined, 'enablement' in row ? row.enablement : undefined].flatMap(
        when => when ?? [],
      ),
    );
    const read = new Set(conditions.flatMap(keysOf).filter(key => key.startsWith('parley.')));
    assert.deepEqual(
      [...read].sort(),
      CONTEXT_KEYS.map(key => `parley.${key}`),
    );
  });

  it('lists at most 40 commands in the palette of a file of messages', () => {
    const counts = [AT_REST, AT_WORK].flatMap(context =>
      ['aicf', 'aicl'].map(editorLangId => palette({ ...context, editorLangId }).length),
    );
    assert.ok(Math.max(...counts) <= 40, `the palette lists ${counts.join(' or ')} commands`);
  });

  it('lists one command of each pair that starts and ends something', () => {
    const pairs = [
      ['Parley Agents: Start Demo Agents', 'Parley Agents: Stop Demo Agents'],
      ['Parley Traces: Filter…', 'Parley Traces: Clear Filter'],
      ['Parley Traces: Pause View', 'Parley Traces: Resume View'],
      ['Parley: Show Token Counts', 'Parley: Hide Token Counts'],
    ] as const;
    const [rest, work] = [palette(AT_REST), palette(AT_WORK)];
    for (const [first, second] of pairs)
      assert.deepEqual(
        [rest, work].map(list => [list.includes(first), list.includes(second)]),
        [
          [true, false],
          [false, true],
        ],
        first,
      );
    const ends = ['Parley: Stop Request', 'Parley Agents: Stop Recording', 'Parley Agents: Disconnect…'];
    for (const end of ends)
      assert.deepEqual(
        [rest, work].map(list => list.includes(end)),
        [false, true],
        end,
      );
  });

  it('lists fewer commands in a folder that is not trusted', () => {
    const restricted = palette({ ...AT_REST, isWorkspaceTrusted: false });
    assert.deepEqual(
      palette(AT_REST).filter(title => !restricted.includes(title)),
      [
        'Parley Agents: Connect…',
        'Parley Agents: Diagnose Connection…',
        'Parley Agents: Start Demo Agents',
        'Parley Traces: Replay…',
        'Parley Agents: Record…',
        'Parley: Telemetry…',
      ],
    );
  });

  it('hides from the palette what needs arguments', () => {
    const hidden = (menus['commandPalette'] ?? [])
      .filter(row => row.when === 'false')
      .map(row => row.command);
    assert.deepEqual(hidden.sort(), INTERNAL_COMMANDS);
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
      'editorLangId =~ /^(aic[lf]|agent-json|jsonc?|jsonl)$/ || editorLangId =~ /^(plaintext|markdown)$/ && editorHasSelection';
    const files =
      '!explorerResourceIsFolder && !listMultiSelection && resourceExtname =~ /^\\.(aicl|aicf|jsonl?|ndjson|sse)$/';
    const about = /^parley\.(convert|compareCost|paste)/;
    const rowsOf = (menu: string): readonly unknown[] =>
      (menus[menu] ?? [])
        .filter(({ command }) => about.test(command))
        .map(({ command, when }) => [command, when])
        .sort();
    assert.deepEqual(
      [rowsOf('parley.editor'), rowsOf('explorer/context')],
      [
        [
          ['parley.compareCost', messages],
          ['parley.convert', messages],
          ['parley.pasteMessages', 'editorLangId =~ /^aic[lf]$/ && !editorReadonly'],
        ],
        [
          ['parley.compareCost', files],
          ['parley.convert', files],
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
