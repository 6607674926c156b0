import type { CallStatus } from '../../../../../core/events/events.ts';
import { listWords } from '../../../../../trace/search.ts';
import { walkCalls } from '../../../../../trace/export/source.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';

/** A filter of calls: all words must occur, and agent and status must be in the lists. Empty lists exclude nothing. */
export interface TraceFilter {
  /** In lower case. */
  readonly words: readonly string[];
  readonly agents: readonly string[];
  readonly statuses: readonly CallStatus[];
}

const AGENT = '@agent:';

/** A word, a phrase in quotation marks, or a tag whose value may be such a phrase. */
const PARTS = /@agent:"[^"]*"?|"[^"]*"?|\S+/g;

/** The statuses of calls with their tags, such as `@error`. */
export const STATUS_TAGS: readonly { readonly tag: string; readonly status: CallStatus }[] = [
  { tag: '@running', status: 'open' },
  { tag: '@ok', status: 'ok' },
  { tag: '@error', status: 'error' },
  { tag: '@stopped', status: 'cancelled' },
  { tag: '@incomplete', status: 'incomplete' },
];

/** The tag of an agent: `@agent:booker`, `@agent:"two words"`. */
export function agentTag(agent: string): string {
  const name = agent.replaceAll('"', '');
  return /^[^\s"]+$/.test(name) ? `${AGENT}${name}` : `${AGENT}"${name}"`;
}

/** Parses a filter in the style of VS Code's filters: `hotel @error @agent:booker`. An unknown tag is a word. */
export function parseFilter(text: string): TraceFilter {
  const words: string[] = [];
  const agents: string[] = [];
  const statuses: CallStatus[] = [];
  for (const [part] of text.matchAll(PARTS)) {
    const status = STATUS_TAGS.find(({ tag }) => tag === part.toLowerCase())?.status;
    const value = part.replaceAll('"', '');
    if (status) statuses.push(status);
    else if (part.toLowerCase().startsWith(AGENT)) agents.push(value.slice(AGENT.length));
    else if (value !== '') words.push(value.toLowerCase());
  }
  return { words, agents: agents.filter(Boolean), statuses };
}

/** Adds a tag to a typed filter, or removes it if present. */
export function toggleTag(text: string, tag: string): string {
  const parts = [...text.matchAll(PARTS)].map(([part]) => part);
  const others = parts.filter(part => part.toLowerCase() !== tag.toLowerCase());
  return others.length < parts.length ? others.join(' ') : [...parts, tag].join(' ');
}

/** True if a filter excludes nothing. */
export function isEmptyFilter({ words, agents, statuses }: TraceFilter): boolean {
  return words.length + agents.length + statuses.length === 0;
}

/** The calls that match a filter, each with its ancestors. Cost: O(all calls). */
export function findShown(
  trees: readonly TraceTree[],
  filter: TraceFilter,
): { readonly shown: ReadonlySet<CallNode>; readonly found: number } {
  const shown = new Set<CallNode>();
  let found = 0;
  const agents = new Set(filter.agents.map(agent => agent.toLowerCase()));
  for (const node of walkCalls(trees)) {
    if (!isFound(node, filter, agents)) continue;
    found++;
    for (let at: CallNode | undefined = node; at && !shown.has(at); at = at.parent) shown.add(at);
  }
  return { shown, found };
}

function isFound(node: CallNode, { words, statuses }: TraceFilter, agents: ReadonlySet<string>): boolean {
  if (statuses.length > 0 && !statuses.includes(node.status)) return false;
  if (agents.size > 0 && !agents.has(node.call.agent.replaceAll('"', '').toLowerCase())) return false;
  if (words.length === 0) return true;
  const text = listWords(node).join('\n').toLowerCase();
  return words.every(word => text.includes(word));
}
