import { walkCalls } from '../../../../../trace/export/source.ts';
import { type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import { countOf } from '../../../../../core/text/count.ts';
import { STATUS_WORDS } from '../../../../../trace/words.ts';
import { STATUS_ICONS } from './call-item.ts';
import { STATUS_TAGS, agentTag, findShown, isEmptyFilter, parseFilter, toggleTag } from './trace-filter.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';
import { createPick, showItems } from '../../../window/sinks/quick-input.ts';

interface Row extends QuickPickItem {
  /** The tag that the row toggles in the filter; undefined for the row that applies the filter. */
  readonly tag?: string;
}

/** The maximum number of listed agents; others can be typed. */
const MAX_AGENTS = 200;

/** Asks for a filter, with tags of agents and states to pick from. Returns undefined if the user cancels. */
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
  const agents = new Set(Array.from(walkCalls(source.trees()), ({ call }) => call.agent));
  return [...agents].sort().slice(0, MAX_AGENTS);
}
