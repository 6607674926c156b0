/** A value as JSON carries it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface JsonObject {
  readonly [key: string]: Json;
}

/** What content there is (Agent API, "Content Models"; video is of the running server). */
export const CONTENT_TYPES = ['text', 'data', 'image', 'audio', 'file', 'refusal', 'video'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** An event of a response: a response, a message or a content, with all members that its kind has. */
export type AgentApiEvent = JsonObject & {
  readonly sequence_number: number;
  readonly object: 'response' | 'message' | 'content';
  readonly status: string;
};

/** An event as a stream of server-sent events carries it: its data alone. */
export function printEvent(event: JsonObject): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
