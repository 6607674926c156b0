import { parentageOf, type CallState } from '../../../../trace/fold/call-state.ts';
import { countOf, showCount } from '../../../../core/text/count.ts';
import { isTooDeep, showCycle, showDepth } from '../../../../core/events/recursion-guard.ts';
import { describeCode, describeProtocol, describeTokens, formatDuration } from '../../../../trace/words.ts';
import type { TraceCall, TraceModel } from '../model.ts';

/** A fact about a call. `link` is the call that it leads to, or the location of the request. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly link?: { readonly call: string } | 'source';
}

/** A fact; undefined without a value. */
function fact(name: string, value: string | undefined, link?: Fact['link']): Fact | undefined {
  if (value === undefined) return undefined;
  return link ? { name, value, link } : { name, value };
}

/** A fact about a point in time. */
function factAfter(name: string, at: number | undefined, start: number): Fact | undefined {
  return fact(name, at === undefined ? undefined : `after ${formatDuration(at - start)}`);
}

/** Lists the facts of a call. Unknown facts are left out. */
export function listFacts(model: TraceModel, call: TraceCall, session: string | undefined): readonly Fact[] {
  const { state } = call;
  const { source } = state;
  const facts = [
    fact('Agent', state.agent),
    fact('Protocol', describeProtocol(state.protocol)),
    fact('Code', describeCode({ call: state, code: state.code }) ?? state.code),
    fact('Session', session),
    fact('Request in', source && `${nameOfFile(source.uri)}, line ${source.line + 1}`, 'source'),
    ...listPlace(model, call),
    ...listTimes(model, call),
    ...listTraffic(state),
  ];
  return facts.filter(each => each !== undefined);
}

function listPlace(model: TraceModel, call: TraceCall): readonly (Fact | undefined)[] {
  const { state, parent, children } = call;
  const { depth = 0, from, isBack, isView } = state;
  const above = model.ancestors(call).filter(each => !each.state.isView);
  const path = [...above.map(each => each.state.agent).reverse(), ...(isView ? [] : [state.agent])];
  const inferred = parentageOf(state) === 'inferred' ? ' (inferred: made while that was open)' : '';
  const refused = isTooDeep(depth, model.depthLimit) ? ': recursion limit reached' : '';
  return [
    fact('Called by', from),
    parent &&
      fact(
        isView ? 'The same as' : 'Parent call',
        `${parent.state.title} · ${parent.state.agent}${inferred}`,
        { call: parent.state.id },
      ),
    isBack && fact('Direction', 'request from the agent to its caller: adds no depth'),
    children.length > 0 ? fact('Child calls', countOf(children.length, 'call')) : undefined,
    path.length > 1 ? fact('Path', showCycle(shorten(path))) : undefined,
    depth > 0 ? fact('Depth', `${showDepth(depth, model.depthLimit)}${refused}`) : undefined,
  ];
}

/** A path of many agents is shortened to its ends. */
function shorten(path: readonly string[]): readonly string[] {
  if (path.length <= 24) return path;
  return [...path.slice(0, 12), `${showCount(path.length - 24)} more`, ...path.slice(-12)];
}

function listTimes(model: TraceModel, call: TraceCall): readonly (Fact | undefined)[] {
  const { at, until, first, ticks, serverTime } = call.state;
  const critical = (model.path.get(call) ?? []).reduce((sum, { from, to }) => sum + to - from, 0);
  const whole = model.end - model.start;
  const share = whole > 0 ? ` (${Math.round((critical / whole) * 100)} % of the trace)` : '';
  const after = at > model.start ? `, after ${formatDuration(at - model.start)}` : '';
  return [
    fact('Began', `${formatTime(at)}${after}`),
    factAfter('First byte', first, at),
    factAfter('Last chunk', ticks?.at(-1), at),
    factAfter('Ended', until, at),
    serverTime === undefined
      ? undefined
      : fact('At the agent', `${formatDuration(serverTime)}, as it says (Server-Timing)`),
    critical > 0 ? fact('Critical path', `${formatDuration(critical)}${share}`) : undefined,
  ];
}

function listTraffic({
  usage,
  bytesOut = 0,
  bytesIn = 0,
  isReported,
}: CallState): readonly (Fact | undefined)[] {
  const tokens = describeTokens(usage);
  return [
    fact('Tokens', tokens && `${tokens}, as reported`),
    fact('Model', usage?.model),
    isReported
      ? fact('Wire', 'not recorded: known only from telemetry')
      : fact('Bytes', `${showCount(bytesOut)} out, ${showCount(bytesIn)} in`),
  ];
}

/** The local time to the millisecond: `2026-03-01 14:03:59.041`. */
function formatTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  // A time in an untrusted trace may not be a valid date.
  if (Number.isNaN(time.getTime())) return `${milliseconds} ms since 1970`;
  const two = (part: number): string => String(part).padStart(2, '0');
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

function nameOfFile(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // A URI with an invalid percent sign is shown unchanged.
    return last;
  }
}
