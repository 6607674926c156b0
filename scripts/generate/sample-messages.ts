import type { MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { printTensor } from '../../tensor/read-tensor.ts';
import type { Tensor } from '../../tensor/tensor.ts';

/** The declaration of the sample tool by an AICF server. */
export const SAMPLE_TOOL =
  'TOOL|weather|Tells the weather|city:string|days:integer?|exact:boolean?|area:object?\n';

const PAIR: Tensor = { dtype: 'float32', shape: [2], bytes: Uint8Array.of(0, 0, 128, 63, 0, 0, 0, 64) };

/** Typical messages, from which the page of conversions is determined. */
export const SAMPLE_MESSAGES: readonly (readonly Message[])[] = [
  [message('call', { tool: textValue('weather'), arguments: argumentsByName() })],
  [message('list', {})],
  [message('describe', { tool: textValue('weather') })],
  [message('task', { task: textValue('Plan a trip'), constraints: dict({ budget: intValue(900) }) })],
  [message('query', { query: textValue('temperature of Paris'), format: textValue('[f:celsius]') })],
  [message('negotiate', { supported: listValue([textValue('LightAICL')]) })],
  ...valueSamples().map(data => [message('result', { data })]),
  [message('result', { tools: listValue([dict({ name: textValue('weather') })]) })],
  ...errorSamples().map(error => [error]),
  [
    message('chunk', { data: textValue('Sunny, ') }),
    message('chunk', { data: textValue('then rain') }),
    message('end', {}),
  ],
  ...(['call', 'result'] as const).map(kind => [withCommon(kind)]),
];

/** A call with positional arguments, as in AICF. */
export const SAMPLE_BY_PLACE: readonly Message[] = [
  message('call', { tool: textValue('weather'), arguments: listValue([textValue('Paris'), textValue('3')]) }),
];

/** Texts that AICL cannot represent. */
export const SAMPLES_UNSENDABLE: readonly (readonly Message[])[] = ['a\r\nb', '\ud800'].map(text => [
  message('result', { data: textValue(text) }),
]);

function argumentsByName(): DictValue {
  return dict({
    city: textValue('Paris'),
    days: intValue(3),
    exact: boolValue(true),
    area: dict({ radius: floatValue(2) }),
  });
}

/** Values of each kind, including some that not every protocol can represent. */
function valueSamples(): readonly Value[] {
  return [
    textValue('Sunny'),
    textValue('a [bracket] | a pipe \\ and\na line'),
    textValue('1.0'),
    intValue(21),
    intValue(2n ** 64n),
    floatValue(3),
    floatValue(-0),
    floatValue(NaN),
    boolValue(true),
    NULL,
    { kind: 'tensor', source: printTensor(PAIR).slice('[t:'.length, -1) },
    listValue([intValue(1), textValue('two')]),
    dict({ b: intValue(1), a: dict({ $int: textValue('5') }) }),
  ];
}

function errorSamples(): readonly Message[] {
  const error = (protocol: string, code: number, text: string, data?: Value): Message =>
    message('error', { protocol: textValue(protocol), code: intValue(code), text: textValue(text), data });
  return [
    error('aicl', 4001, 'DATA_FORMAT_ERROR', textValue('not a table')),
    error('aicf', 404, 'Tool not found: weather'),
    error('mcp', -32602, 'Tool weather not found', dict({ name: textValue('weather') })),
  ];
}

/** A message with fields that any message may have. */
function withCommon(kind: MessageKind): Message {
  const own =
    kind === 'call'
      ? { tool: textValue('weather'), arguments: argumentsByName() }
      : { data: textValue('Sunny') };
  return message(kind, {
    ...own,
    id: textValue('req-7'),
    session: textValue('s1'),
    trace: textValue('AIO-TR-20260101-0001'),
    agent: textValue('forecaster'),
  });
}

function dict(members: Readonly<Record<string, Value>>): DictValue {
  return dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));
}
