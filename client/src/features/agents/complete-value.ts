import type { Disposable } from 'vscode';
import { asList, readFields } from '../../../../core/text/fields.ts';
import { parseJson } from '../../../../core/text/json.ts';
import type { ItemParameter, ListedItem } from '../../../../language/tools.ts';
import type { AgentService } from '../../services/agent-service.ts';
import { Delay } from '../../base/delay.ts';
import { createPick, showItems } from '../../window/sinks/quick-input.ts';

/** Milliseconds without a key press before the agent is asked again. */
const PAUSE = 150;

/** The maximum number of values that an answer may have (MCP, "Completion"). */
const MAX_VALUES = 100;

/** An argument of a prompt or a variable of a template, and the values that were entered before it. */
export interface AskedValue {
  readonly agent: string;
  readonly item: ListedItem;
  readonly parameter: ItemParameter;
  readonly known: ReadonlyMap<string, string>;
}

/** A value in the list. Its label is shown literally, so it may differ from the value. */
interface ValueRow {
  readonly label: string;
  /** Undefined for what is typed, which may have changed since the row was shown. */
  readonly value: string | undefined;
  readonly description?: string;
  readonly alwaysShow?: boolean;
}

/**
 * Asks the user for a value, and shows the values that the agent proposes for what was typed (MCP, "Completion").
 * Undefined if the user cancels. An agent that proposes none is no fault: any text can be entered.
 */
export async function askValue(agents: AgentService, asked: AskedValue): Promise<string | undefined> {
  const pick = createPick<ValueRow>();
  const { parameter, item } = asked;
  const optional = parameter.isRequired ? '' : ' (optional)';
  pick.title = `${item.name}: ${parameter.name}${optional}`;
  pick.placeholder = parameter.description || `A value of ${parameter.name}`;
  const stop = new AbortController();
  let turn = 0;
  const propose = async (): Promise<void> => {
    const own = ++turn;
    const typed = pick.value;
    pick.busy = true;
    const values = await fetchValues(agents, asked, typed, stop.signal);
    // The user has typed more meanwhile.
    if (own !== turn || stop.signal.aborted) return;
    pick.busy = false;
    const others = values.filter(value => value !== typed);
    const first =
      typed === '' ? [] : [{ label: typed, value: undefined, description: 'as typed', alwaysShow: true }];
    showItems(pick, [...first, ...others.map(each => ({ label: each, value: each }))]);
  };
  const soon = new Delay(propose);
  const listening: Disposable[] = [];
  const value = await new Promise<string | undefined>(resolve => {
    listening.push(
      pick.onDidChangeValue(() => soon.restart(PAUSE)),
      pick.onDidAccept(() => {
        const [row] = pick.selectedItems;
        const picked = row?.value ?? pick.value;
        if (picked !== '' || !parameter.isRequired) resolve(picked);
      }),
      pick.onDidHide(() => resolve(undefined)),
    );
    pick.show();
    void propose();
  });
  stop.abort();
  for (const each of [soon, ...listening, pick]) each.dispose();
  return value;
}

/** The values that the agent proposes; none if it has no completion or fails. */
async function fetchValues(
  agents: AgentService,
  { agent, item, parameter, known }: AskedValue,
  value: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ref =
    item.kind === 'prompt'
      ? { type: 'ref/prompt', name: item.name }
      : { type: 'ref/resource', uri: item.detail };
  const context = known.size === 0 ? {} : { context: { arguments: Object.fromEntries(known) } };
  const params = { ref, argument: { name: parameter.name, value }, ...context };
  const method = 'completion/complete';
  const wireText = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const request = { agent, title: method, wireText, language: undefined };
  const begun = await agents.call({ ...request, warningPolicy: 'send' }, () => undefined, signal);
  const { status, text } = 'outcome' in begun ? await begun.outcome : begun;
  if (status !== 'ok') return [];
  const result = readFields(readFields(parseJson(text))?.get('result'));
  const values = asList(readFields(result?.get('completion'))?.get('values'));
  return values.filter(each => typeof each === 'string').slice(0, MAX_VALUES);
}
