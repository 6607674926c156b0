import { findAiclError } from '../../core/catalog/aicl.ts';
import type { DtypeName } from '../../core/catalog/dtypes.ts';
import { message } from '../../core/message/message.ts';
import { dictValue, intValue, textValue, type DictValue, type Value } from '../../core/values/value.ts';
import type { ServedReply } from '../../protocols/serving/serving.ts';
import { encodeBase85 } from '../../tensor/base85.ts';
import { reply } from './served.ts';

export function dict(members: Readonly<Record<string, Value>>): DictValue {
  return dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));
}

/** A number; undefined for any other value. */
export function numberIn(value: Value | undefined): number | undefined {
  if (value?.kind === 'int') return Number(value.int);
  return value?.kind === 'float' ? value.float : undefined;
}

/** The numbers of a list; undefined for an empty list, and where anything is no number. */
export function numbersIn(value: Value | undefined): readonly number[] | undefined {
  const items = value?.kind === 'list' ? value.items : [];
  const numbers = items.map(numberIn).filter(number => number !== undefined);
  return numbers.length > 0 && numbers.length === items.length ? numbers : undefined;
}

/** A tensor value; `bytes` are little-endian, row-major. */
export function tensor(dtype: DtypeName, shape: readonly number[], bytes: Uint8Array): Value {
  return { kind: 'tensor', source: `${dtype}:${shape.join(',')}:${encodeBase85(bytes)}` };
}

/** An error of the agent (LightAICL 1.0 section 4.2). */
export function failAicl(code: number, detail: string): ServedReply {
  const error = {
    protocol: textValue('aicl'),
    code: intValue(code),
    text: textValue(findAiclError(code)?.name ?? 'PROTOCOL_ERROR'),
    data: textValue(detail),
  };
  return reply(message('error', error));
}
