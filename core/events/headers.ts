import type { KeptHeader } from './events.ts';

/** The value of a header by its name in lower case; undefined where there is none. */
export function findHeader(headers: readonly KeptHeader[], name: string): string | undefined {
  return headers.find(header => header.name.toLowerCase() === name)?.value;
}

/** The values of all headers with a name in lower case, in order. */
export function headerValues(headers: readonly KeptHeader[], wanted: string): readonly string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}

/** True where the body behind these headers is a stream of server-sent events. */
export function isEventStream(headers: readonly KeptHeader[]): boolean {
  return /^\s*text\/event-stream/i.test(findHeader(headers, 'content-type') ?? '');
}

/** The ways in which a body is compressed, in the order in which they were applied; none where it is plain. */
export function listPackings(headers: readonly KeptHeader[]): readonly string[] {
  return headerValues(headers, 'content-encoding')
    .flatMap(value => value.split(','))
    .map(packing => packing.trim().toLowerCase())
    .filter(packing => packing !== '' && packing !== 'identity');
}
