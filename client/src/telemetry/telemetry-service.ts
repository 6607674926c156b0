import type { Disposable, Event } from 'vscode';
import type { ExportSource } from '../../../trace/export/source.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

/** The receiver that runs in this window. */
export interface ReceiverInfo {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly address: string;
  /** Spans that came so far. */
  readonly spans: number;
}

export type ReceiverStart =
  | { readonly ok: true; readonly receiver: ReceiverInfo }
  | {
      readonly ok: false;
      /** A sentence for a person. */
      readonly message: string;
      /** A free port, where the one that was wanted is taken. */
      readonly freePort?: number;
    };

/** What came of sending traces. The three numbers together are the spans that there were. */
export type SendStart =
  | {
      readonly ok: true;
      readonly sent: number;
      readonly rejected: number;
      readonly unsent: number;
      readonly problems: readonly string[];
    }
  /** Nothing was sent; a sentence for a person, or undefined where the user left a question. */
  | { readonly ok: false; readonly message: string | undefined };

/** How sending to a collector stands: what ended since it began is `sent`, `waiting` and `lost` together. */
export interface SendingInfo {
  /** The collector's address, without credentials. */
  readonly address: string;
  readonly sent: number;
  readonly waiting: number;
  /** What the collector refused, what was deleted before it got there, and what there was no room for. */
  readonly lost: number;
  /** Why something was lost or does not get there now; undefined while all goes well. */
  readonly problem: string | undefined;
}

/** What came of beginning to send: a sentence for a person, or undefined where the user left a question. */
export type SendingStart =
  | { readonly ok: true; readonly sending: SendingInfo }
  | { readonly ok: false; readonly message: string | undefined };

/** Calls that end, for whom sends them. */
export interface EndedCalls extends Pick<ExportSource, 'payload'> {
  readonly onDidEnd: Event<string>;
  /** A call as it is now, with the name of its trace; undefined where it is no longer kept. */
  find(call: string): { readonly node: CallNode; readonly trace: string } | undefined;
}

/** What came of opening a trace: one of its calls, by which it is found from now on. */
export type OpenedTrace =
  | { readonly ok: true; readonly call: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Telemetry in and out. Only the desktop host has it. A receiver belongs to the window that started it. */
export interface TelemetryService extends Disposable {
  /** The receiver or sending was started or stopped, spans came or went. */
  readonly onDidChange: Event<void>;
  readonly receiver: ReceiverInfo | undefined;
  /** Starts the receiver; one that runs is answered as it is. Without a port it is that of OTLP, 4318. */
  startReceiver(port?: number): Promise<ReceiverStart>;
  stopReceiver(): Promise<void>;
  /** Sends traces to the collector of the settings. */
  send(traces: Pick<ExportSource, 'trees' | 'payload'>, signal: AbortSignal): Promise<SendStart>;
  /** How sending of all that ends stands; undefined where it does not run. */
  readonly sending: SendingInfo | undefined;
  /** Sends calls to the collector of the settings from now on, as they end; where that runs, it is answered as it is. */
  startSending(calls: EndedCalls): Promise<SendingStart>;
  /** Sends what waits, unless the collector is down, and no more. Answers how it stood in the end. */
  stopSending(): Promise<SendingInfo | undefined>;
  /** The Jaeger from which the last trace came. */
  readonly lastJaeger: string;
  /** Reads a trace from a Jaeger and adds it to those of this window. */
  openTrace(url: string, trace: string, signal: AbortSignal): Promise<OpenedTrace>;
}
