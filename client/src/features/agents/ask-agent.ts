import { env, QuickPickItemKind, ThemeIcon, type QuickPickItem } from 'vscode';
import { PROTOCOLS, type ProtocolName, type ProtocolRow } from '../../../../core/catalog/protocols.ts';
import { Delay } from '../../base/delay.ts';
import type { AgentEntries, PastedDrafts, ShownDraft } from '../../services/agent-draft.ts';
import { createPick, pickItem, pickItems, showItems } from '../../window/sinks/quick-input.ts';

/** What the user chose: agents to add, whose places were shown, or a protocol. */
export type Chosen =
  | { readonly kind: 'drafts'; readonly drafts: readonly ShownDraft[] }
  | { readonly kind: 'protocol'; readonly protocol: ProtocolName };

interface Row extends QuickPickItem {
  readonly choose?: () => Promise<Chosen | undefined>;
}

/** Milliseconds after the last key until the text is read. */
const PAUSE = 50;

/**
 * Asks for agents by what the user has: a text that is pasted, at first `given`, or a choice below it. Undefined if it
 * was closed.
 */
export async function askForAgents(entries: AgentEntries, given: string): Promise<Chosen | undefined> {
  const pick = createPick<Row>();
  const delay = new Delay(() => void show());
  let shown = '';
  const choices = listChoices(entries);
  const show = async (): Promise<void> => {
    const text = (shown = pick.value);
    const pasted = await readValue(text, entries);
    if (text !== shown) return;
    const found = listFound(pasted);
    showItems(pick, [...found, ...choices]);
    const [first] = pick.items;
    if (found.length > 0 && first) pick.activeItems = [first];
  };
  try {
    pick.title = 'Add Agent';
    pick.placeholder = 'Paste a URL, a command, a cURL or an mcpServers JSON…';
    pick.ignoreFocusOut = true;
    pick.matchOnDescription = true;
    showItems(pick, choices);
    pick.value = given;
    if (given !== '') await show();
    const row = await new Promise<Row | undefined>(resolve => {
      pick.onDidChangeValue(() => delay.ask(PAUSE));
      pick.onDidAccept(() => {
        // Enter may come before the text is read.
        void (shown === pick.value ? Promise.resolve() : show()).then(() => {
          const [active] = pick.activeItems;
          if (active?.choose) resolve(active);
        });
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
    pick.hide();
    return await row?.choose?.();
  } finally {
    delay.dispose();
    pick.dispose();
  }
}

/**
 * Reads the text of the box. A box has one line, so comments in pasted JSON would hide what follows them: the clipboard has
 * the lines as they were copied.
 */
async function readValue(value: string, entries: AgentEntries): Promise<PastedDrafts> {
  const pasted = await entries.readPasted(value);
  if (pasted.problems.length === 0 || !/[{"]/.test(value)) return pasted;
  const copied = await env.clipboard.readText();
  return copied.replace(/[\r\n]+/g, '') === value.replace(/[\r\n]+/g, '')
    ? entries.readPasted(copied)
    : pasted;
}

function listFound({ drafts, problems }: PastedDrafts): readonly Row[] {
  const rows = drafts.flatMap((shown): readonly Row[] => [
    { ...describe(shown), choose: () => choose([shown]) },
    ...listRest(shown),
  ]);
  const all: readonly Row[] =
    drafts.length < 2
      ? []
      : [
          {
            label: `Add and start all ${drafts.length}`,
            description: drafts.map(({ draft }) => draft.name).join(', '),
            iconPath: new ThemeIcon('run-all'),
            alwaysShow: true,
            choose: () => choose(drafts),
          },
        ];
  const faults = problems.map((label): Row => ({
    label,
    iconPath: new ThemeIcon('warning'),
    alwaysShow: true,
  }));
  return [...rows, ...all, ...faults];
}

function choose(drafts: readonly ShownDraft[]): Promise<Chosen> {
  return Promise.resolve({ kind: 'drafts', drafts });
}

/** The row of an agent. It is the consent: it shows what is started, or which host is asked. */
function describe({ draft, shown, host, variables }: ShownDraft): Row {
  const { name, protocol, place } = draft;
  const short = PROTOCOLS.find(each => each.name === protocol)?.short;
  const given = place.type === 'stdio' ? [...(place.env?.keys() ?? [])] : variables;
  const folder = place.type === 'stdio' && place.cwd !== undefined ? `, in ${place.cwd}` : '';
  const what =
    place.type === 'stdio'
      ? `${short ?? ''} as a process${folder}`
      : short
        ? `${short} at ${host}`
        : `asks ${host} which protocol it speaks`;
  return {
    label: `Add and start ${name}`,
    description: given.length === 0 ? what : `${what}, with ${given.join(', ')}`,
    detail: shown,
    iconPath: new ThemeIcon(place.type === 'stdio' ? 'terminal' : 'globe'),
    alwaysShow: true,
  };
}

/** The characters of a row that are visible in a narrow window, and lines of that length. */
const VISIBLE = 60;
const LINES = /.{1,60}/gsu;

/** The rest of a long command line: what is agreed to is visible as a whole. */
function listRest({ shown }: ShownDraft): readonly Row[] {
  const lines = shown.slice(VISIBLE).match(LINES) ?? [];
  return lines.map(line => ({ label: `… ${line}`, alwaysShow: true }));
}

function listChoices(entries: AgentEntries): readonly Row[] {
  const rows: readonly (ProtocolRow & { readonly name: ProtocolName })[] = PROTOCOLS;
  const rankOf = ({ offer }: ProtocolRow): number => offer.rank ?? Infinity;
  const offered = rows.filter(({ offer }) => offer.rank !== undefined);
  const others = rows.filter(({ offer }) => offer.rank === undefined);
  const toRow = ({ name, offer: { label, detail } }: (typeof rows)[number]): Row => ({
    label,
    description: detail,
    choose: () => Promise.resolve({ kind: 'protocol', protocol: name }),
  });
  return [
    { label: 'or choose', kind: QuickPickItemKind.Separator },
    ...offered.toSorted((one, other) => rankOf(one) - rankOf(other)).map(toRow),
    {
      label: 'More protocols…',
      description: others.map(({ short }) => short).join(', '),
      choose: async () => {
        const row = await pickItem(others.map(toRow), { title: 'Add Agent: protocol', ignoreFocusOut: true });
        return row?.choose?.();
      },
    },
    {
      label: 'Import…',
      description: 'from files of Claude, Cursor, VS Code and other programs',
      choose: () => askForImport(entries),
    },
  ];
}

/** Lists the agents in files of other programs. */
async function askForImport(entries: AgentEntries): Promise<Chosen | undefined> {
  const imports = await entries.listImports();
  const rows = imports.flatMap(
    ({ title, path, found }): readonly (QuickPickItem & { readonly shown?: ShownDraft })[] => [
      { label: `${title}: ${path}`, kind: QuickPickItemKind.Separator },
      ...found.drafts.map(shown => ({
        label: shown.draft.name,
        description: shown.shown,
        detail: describe(shown).description ?? '',
        shown,
      })),
      ...found.problems.map(label => ({ label, iconPath: new ThemeIcon('warning') })),
    ],
  );
  const isEmpty = !rows.some(({ shown }) => shown);
  const picked = await pickItems(
    isEmpty ? [...rows, { label: 'No agents of other programs were found' }] : rows,
    {
      title: 'Import agents: the chosen ones are added and started',
      placeHolder: 'Choose agents',
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  const drafts = (picked ?? []).flatMap(({ shown }) => (shown ? [shown] : []));
  return drafts.length === 0 ? undefined : { kind: 'drafts', drafts };
}
