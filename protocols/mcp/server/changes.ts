import {
  boolValue,
  dictValue,
  findEntry,
  type BoolValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { Offer } from '../../serving/serving.ts';
import { writeNotification } from './frames.ts';
import { listCapabilities } from './offer.ts';

/** A list that may change: the capability, the member of a request that asks for its changes, and the notification. */
const LISTS = [
  { capability: 'tools', member: 'toolsListChanged', method: 'notifications/tools/list_changed' },
  { capability: 'prompts', member: 'promptsListChanged', method: 'notifications/prompts/list_changed' },
  { capability: 'resources', member: 'resourcesListChanged', method: 'notifications/resources/list_changed' },
] as const;

/** The member of `_meta` that names the request for changes that a notification belongs to. */
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** A caller that is notified of changes. */
interface Subscriber {
  /** Sends the notifications of a change. */
  change(): void;
}

/** The callers that are notified of changes of the agent's offer. */
export class Changes {
  readonly #subscribers = new Set<Subscriber>();

  /** The offer has changed. Which of its lists has, no agent says. */
  report(): void {
    for (const subscriber of this.#subscribers) subscriber.change();
  }

  /** Adds a session. Returns a function that removes it. */
  add(send: (message: DictValue) => void): () => void {
    const subscriber = {
      change: () => {
        for (const { method } of LISTS) send(writeNotification(method));
      },
    };
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /**
   * Adds the request of a modern caller, whose filter says which changes it wants to know. Returns the first message of its
   * reply, and a function that removes it; undefined if the filter is none.
   */
  subscribe(
    id: Value,
    params: DictValue,
    offer: Offer,
    send: (message: DictValue) => void,
  ): { readonly acknowledgement: DictValue; end(): void } | undefined {
    const filter = findEntry(params, 'notifications');
    if (filter?.kind !== 'dict') return undefined;
    const capabilities = listCapabilities(offer);
    const taken = LISTS.filter(
      ({ capability, member }) => isTrue(findEntry(filter, member)) && findEntry(capabilities, capability),
    );
    const _meta = dictOf({ [SUBSCRIPTION]: id });
    const subscriber = {
      change: () => {
        for (const { method } of taken) send(writeNotification(method, dictOf({ _meta })));
      },
    };
    this.#subscribers.add(subscriber);
    const notifications = dictValue(taken.map(({ member }) => ({ key: member, value: boolValue(true) })));
    return {
      acknowledgement: writeNotification(
        'notifications/subscriptions/acknowledged',
        dictOf({ notifications, _meta }),
      ),
      end: () => void this.#subscribers.delete(subscriber),
    };
  }
}

function isTrue(value: Value | undefined): value is BoolValue {
  return value?.kind === 'bool' && value.bool;
}
