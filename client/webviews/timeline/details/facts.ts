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

/** Lists the facts of a call. Unknown facts are left out. */
export function listFacts(model: TraceModel, call: TraceCall, session: string | undefined): readonly Fact[] {
  return [
    ...listIdentity(call, session),
    ...listPlace(model, call),
    ...listTimes(model, call),
    ...listTraffic(call.state),
  ];
}

function listIdentity({ state }: TraceCall, session: string | undefined): readonly Fact[] {
  const { source } = state;
  const code = describeCode({ call: state, code: state.code }) ?? state.code;
  return [
    { name: 'Agent', value: state.agent },
    { name: 'Protocol', value: describeProtocol(state.protocol) },
    ...(code === undefined ? [] : [{ name: 'Code', value: code }]),
    ...(session === undefined ? [] : [{ name: 'Session', value: session }]),
    ...(source
      ? [
          {
            name: 'Request in',
            value: `${nameOfFile(source.uri)}, line ${source.line + 1}`,
            link: 'source',
          } as const,
        ]
      : []),
  ];
}

function listPlace(model: TraceModel, call: TraceCall): readonly Fact[] {
  const { state, parent, children } = call;
  const { depth = 0, from, isBack, isView } = state;
  const above = model.ancestors(call).filter(each => !each.state.isView);
  const path = [...above.map(each => each.state.agent).reverse(), ...(isView ? [] : [state.agent])];
  return [
    ...(from === undefined ? [] : [{ name: 'Called by', value: from }]),
    ...(parent
      ? [
          {
            name: isView ? 'The same as' : 'Parent call',
            value: `${parent.state.title} · ${parent.state.agent}${explainParentage(state)}`,
            link: { call: parent.state.id },
          },
        ]
      : []),
    ...(isBack ? [{ name: 'Direction', value: 'request from the agent to its caller: adds no depth' }] : []),
    ...(children.length > 0 ? [{ name: 'Child calls', value: countOf(children.length, 'call') }] : []),
    ...(path.length > 1 ? [{ name: 'Path', value: showCycle(shorten(path)) }] : []),
    ...(depth > 0 ? [{ name: 'Depth', value: explainDepth(depth, model.depthLimit) }] : []),
  ];
}

function explainParentage(state: CallState): string {
  return parentageOf(state) === 'inferred' ? ' (inferred: made while that was open)' : '';
}

function explainDepth(depth: number, limit: number): string {
  return `${showDepth(depth, limit)}${isTooDeep(depth, limit) ? ': the recursion guard refuses it' : ''}`;
}

/** A path of many agents is shortened to its ends. */
function shorten(path: readonly string[]): readonly string[] {
  if (path.length <= 24) return path;
  return [...path.slice(0, 12), `${showCount(path.length - 24)} more`, ...path.slice(-12)];
}

function listTimes(model: TraceModel, call: TraceCall): readonly Fact[] {
  const { at, until, first, ticks, serverTime } = call.state;
  const critical = (model.path.get(call) ?? []).reduce((sum, { from, to }) => sum + to - from, 0);
  const whole = model.end - model.start;
  const share = whole > 0 && critical > 0 ? ` (${Math.round((critical / whole) * 100)} % of the trace)` : '';
  const last = ticks?.at(-1);
  return [
    {
      name: 'Began',
      value: `${formatTime(at)}${at > model.start ? `, after ${formatDuration(at - model.start)}` : ''}`,
    },
    ...(first === undefined ? [] : [{ name: 'First byte', value: `after ${formatDuration(first - at)}` }]),
    ...(last === undefined ? [] : [{ name: 'Last chunk', value: `after ${formatDuration(last - at)}` }]),
    ...(until === undefined ? [] : [{ name: 'Ended', value: `after ${formatDuration(until - at)}` }]),
    ...(serverTime === undefined
      ? []
      : [{ name: 'At the agent', value: `${formatDuration(serverTime)}, as it says (Server-Timing)` }]),
    ...(critical > 0 ? [{ name: 'Critical path', value: `${formatDuration(critical)}${share}` }] : []),
  ];
}

function listTraffic({ usage, bytesOut = 0, bytesIn = 0, isReported }: CallState): readonly Fact[] {
  const tokens = describeTokens(usage);
  return [
    ...(tokens === undefined ? [] : [{ name: 'Tokens', value: `${tokens}, as reported` }]),
    ...(usage?.model === undefined ? [] : [{ name: 'Model', value: usage.model }]),
    ...(isReported
      ? [{ name: 'Wire', value: 'not recorded: known only from telemetry' }]
      : [{ name: 'Bytes', value: `${showCount(bytesOut)} out, ${showCount(bytesIn)} in` }]),
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
