import { escapeText } from '../../language/aicl/escapes.ts';
import { AICL_ERRORS, AICL_PROTOCOL, type MessageTypeName } from '../../core/catalog/aicl.ts';
import { type DtypeName } from '../../core/catalog/dtypes.ts';
import { encodeBase85 } from '../../tensor/base85.ts';

/** A text value. AICL cannot write CR, so it becomes LF. */
export function text(value: string): string {
  return `[s:${escapeText(value.replace(/\r\n?/g, '\n'), 'wire')}]`;
}

/** An integer value. */
export function int(value: number): string {
  return `[i:${value}]`;
}

/** A float value: the shortest text that reads back to it, with `.0` for whole numbers. */
export function float(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '[f:nan]' : value > 0 ? '[f:inf]' : '[f:-inf]';
  const digits = Object.is(value, -0) ? '-0.0' : String(value);
  return `[f:${/[.e]/.test(digits) ? digits : `${digits}.0`}]`;
}

/** A boolean value. */
export function bool(value: 'true' | 'false'): string {
  return `[b:${value}]`;
}

export function list(values: readonly string[]): string {
  return `[l:${values.join(',')}]`;
}

export function dict(entries: readonly (readonly [key: string, value: string])[]): string {
  return `[d:${entries.map(([key, value]) => `${text(key)}:${value}`).join(',')}]`;
}

/** A tensor value; `bytes` are little-endian, row-major. */
export function tensor(dtype: DtypeName, shape: readonly number[], bytes: Uint8Array): string {
  return `[t:${dtype}:${shape.join(',')}:${encodeBase85(bytes)}]`;
}

/** A message: the header of LightAICL 1.0 section 2.1, then its fields, one per line. */
export function message(
  session: string,
  type: MessageTypeName,
  fields: readonly (readonly [key: string, value: string])[],
): string {
  const header = [
    ['protocol', text(AICL_PROTOCOL)],
    ['session_id', text(session)],
    ['msg_type', text(type)],
  ] as const;
  const lines = [...header, ...fields].map(([key, value]) => `  ${text(key)}:${value}`);
  return `[d:\n${lines.join(',\n')}\n]`;
}

/** An error message (LightAICL 1.0 section 4.2). */
export function error(session: string, code: number, detail: string): string {
  const row = AICL_ERRORS.find(each => each.code === code);
  return message(session, 'error', [
    ['code', int(code)],
    ['reason', text(row?.name ?? 'PROTOCOL_ERROR')],
    ['detail', text(detail)],
  ]);
}
