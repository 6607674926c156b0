import {
  ResponseBuilder as BuilderWithoutClock,
  type ResponseOptions as OptionsWithClock,
} from '../../protocols/agent-api/builder/response-builder.ts';

export { MESSAGE_TYPES, printEvent } from '../../protocols/agent-api/builder/events.ts';
export type {
  AgentApiError,
  AgentApiEvent,
  ContentType,
  Json,
  JsonObject,
  ResponseEnd,
  Role,
} from '../../protocols/agent-api/builder/events.ts';
export type { ContentBuilder, FileSource } from '../../protocols/agent-api/builder/content-builder.ts';
export type { MessageBuilder, MessageOptions } from '../../protocols/agent-api/builder/message-builder.ts';

/** The options of a response. Each may be left out; ids are then random, and the time is that of the system. */
export type ResponseOptions = Partial<OptionsWithClock>;

/** Builds the events of one response of the Agent API, with random ids and the time of the system. */
export class ResponseBuilder extends BuilderWithoutClock {
  constructor(options: ResponseOptions = {}) {
    super({
      newId: prefix => prefix + crypto.randomUUID(),
      now: () => Math.floor(Date.now() / 1000),
      ...options,
    });
  }
}
