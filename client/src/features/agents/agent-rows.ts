import type { Uri } from 'vscode';
import type {
  AgentInfo,
  AgentCapabilities,
  AgentsProblem,
  ToolChange,
  ToolInfo,
} from '../../services/agent-service.ts';
import type { ArgumentDeclaration, ListedItem } from '../../../../language/tools.ts';

/**
 * A row of the Agents view: an agent, one of its tools, resources or prompts, or a problem in an agents file,
 * located by `file` and `line`. Commands of a row's menu receive the row.
 */
export type AgentRow =
  | { readonly kind: 'agent'; readonly agent: AgentInfo; readonly file: Uri }
  | { readonly kind: 'problem'; readonly problem: AgentsProblem; readonly file: Uri; readonly line: number }
  | GroupRow
  | ToolRow
  | {
      readonly kind: 'argument';
      readonly agent: AgentInfo;
      readonly argument: ArgumentDeclaration;
    }
  | ItemRow
  | { readonly kind: 'change'; readonly agent: AgentInfo; readonly change: ToolChange }
  | {
      readonly kind: 'changed';
      readonly agent: AgentInfo;
      readonly name: string;
      readonly word: 'new' | 'gone' | 'changed';
    }
  | { readonly kind: 'remark'; readonly agent: AgentInfo; readonly text: string };

/** The rows of one kind, of an agent that lists several kinds. */
export interface GroupRow {
  readonly kind: 'group';
  readonly agent: AgentInfo;
  readonly label: 'Tools' | 'Resources' | 'Prompts';
  readonly rows: readonly (ToolRow | ItemRow)[];
}

export interface ToolRow {
  readonly kind: 'tool';
  readonly agent: AgentInfo;
  readonly tool: ToolInfo;
}

export interface ItemRow {
  readonly kind: 'resource' | 'prompt';
  readonly agent: AgentInfo;
  readonly item: ListedItem;
}

/** The child rows of a row. */
export function listRows(row: AgentRow, capabilities: AgentCapabilities): AgentRow[] {
  if (row.kind === 'agent') return listCapabilityRows(row.agent, capabilities);
  if (row.kind === 'group') return [...row.rows];
  if (row.kind === 'tool') {
    const { agent, tool } = row;
    const declared = tool.declaration?.arguments ?? [];
    return declared.map(argument => ({ kind: 'argument', agent, argument }));
  }
  return row.kind === 'change' ? listChanged(row.agent, row.change) : [];
}

function listCapabilityRows(agent: AgentInfo, capabilities: AgentCapabilities): AgentRow[] {
  const { tools, resources, prompts, change, problem, state } = capabilities;
  const isEmpty = tools?.length === 0 && resources.length === 0 && prompts.length === 0;
  const remark =
    problem ?? (isEmpty ? 'It lists no tools' : state === 'connected' && !tools ? NOT_LISTED : undefined);
  return [
    ...(remark === undefined ? [] : [{ kind: 'remark', agent, text: remark } as const]),
    ...(change ? [{ kind: 'change', agent, change } as const] : []),
    ...groupRows(agent, [
      ['Tools', (tools ?? []).map(tool => ({ kind: 'tool', agent, tool }))],
      ['Resources', resources.map(item => ({ kind: 'resource', agent, item }))],
      ['Prompts', prompts.map(item => ({ kind: 'prompt', agent, item }))],
    ]),
  ];
}

/** Rows of one kind need no group. */
function groupRows(
  agent: AgentInfo,
  kinds: readonly (readonly [label: GroupRow['label'], rows: readonly (ToolRow | ItemRow)[]])[],
): readonly AgentRow[] {
  const filled = kinds.filter(([, rows]) => rows.length > 0);
  const [only, ...others] = filled;
  if (only && others.length === 0) return only[1];
  return filled.map(([label, rows]) => ({ kind: 'group', agent, label, rows }));
}

/** Shown for an agent that answered a call but was not asked for its tools. */
export const NOT_LISTED = 'Tools not loaded. Click to load.';

function listChanged(agent: AgentInfo, { added, removed, changed }: ToolChange): AgentRow[] {
  const list = (names: readonly string[], word: 'new' | 'gone' | 'changed'): AgentRow[] =>
    names.map(name => ({ kind: 'changed', agent, name, word }));
  return [...list(added, 'new'), ...list(removed, 'gone'), ...list(changed, 'changed')];
}
