import { type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import { countOf } from '../../../core/text/count.ts';
import { STATUS_WORDS } from '../../../trace/words.ts';
import { STATUS_ICONS } from './call-item.ts';
import { STATUS_TAGS, agentTag, findShown, isEmptyFilter, parseFilter, toggleTag } from './trace-filter.ts';
import type { TraceSource } from './trace-source.ts';
import { createPick, showItems } from '../sinks/quick-input.ts';

interface Row extends QuickPickItem {
  /** What the row puts into the filter, or takes out; without it, it shows the calls that are found. */
  readonly tag?: string;
}

/** So many agents are offered; any other one can be typed. */
const MOST_AGENTS = 200;

/** Has a filter typed, with tags for agents and states to pick from. Undefined where the list was left. */
export function pickFilter(source: TraceSource, filter: string): Promise<string | undefined> {
  const pick = createPick<Row>();
  const agents = listAgents(source);
  pick.title = 'Filter traces';
  pick.placeholder = 'Type words, or pick states and agents';
  pick.value = filter === '' ? '' : `${filter} `;
  const draw = (): void => {
    const rows = buildRows(source, agents, pick.value);
    pick.activeItems = showItems(pick, rows).slice(0, 1);
  };
  pick.onDidChangeValue(draw);
  draw();
  return new Promise(resolve => {
    const end = (chosen: string | undefined): void => {
      resolve(chosen);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      const tag = pick.selectedItems[0]?.tag;
      if (tag === undefined) return end(pick.value.trim());
      const value = toggleTag(pick.value, tag);
      pick.value = value === '' ? '' : `${value} `;
      draw();
    });
    pick.onDidHide(() => end(undefined));
    pick.show();
  });
}

function buildRows(source: TraceSource, agents: readonly string[], value: string): readonly Row[] {
  const filter = parseFilter(value);
  const isEmpty = isEmptyFilter(filter);
  const label = isEmpty
    ? 'Show all calls'
    : `Show ${countOf(findShown(source.trees(), filter).found, 'call')} that ${value.trim()} finds`;
  return [
    { label, iconPath: new ThemeIcon('filter'), alwaysShow: true },
    { label: 'States', kind: QuickPickItemKind.Separator },
    ...STATUS_TAGS.map(({ tag, status }) => ({
      tag,
      label: STATUS_WORDS[status],
      description: describeTag(tag, value),
      iconPath: STATUS_ICONS[status],
      alwaysShow: true,
    })),
    { label: 'Agents', kind: QuickPickItemKind.Separator },
    ...agents.map(agent => ({
      tag: agentTag(agent),
      label: agent,
      description: describeTag(agentTag(agent), value),
      alwaysShow: true,
    })),
  ];
}

function describeTag(tag: string, value: string): string {
  const isIn = toggleTag(value, tag).length < value.trim().length;
  return isIn ? `${tag}, in the filter` : tag;
}

function listAgents(source: TraceSource): readonly string[] {
  const agents = new Set<string>();
  const open = source.trees().flatMap(tree => [...tree.roots]);
  for (let node = open.pop(); node; node = open.pop()) {
    agents.add(node.call.agent);
    for (const child of node.children) open.push(child);
  }
  return [...agents].sort().slice(0, MOST_AGENTS);
}
