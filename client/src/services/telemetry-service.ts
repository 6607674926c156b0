import type { Disposable, Event } from 'vscode';
import type { ExportSource } from '../../../trace/export/source.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

/** The running receiver of this window. */
export interface ReceiverInfo {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly address: string;
  /** The number of spans received so far. */
  readonly spans: number;
}

export type ReceiverStart =
  | { readonly ok: true; readonly receiver: ReceiverInfo }
  | {
      readonly ok: false;
      /** The reason as a sentence. */
      readonly message: string;
      /** A free port, if the requested one is in use. */
      readonly freePort?: number;
    };

/** The result of sending traces. The three numbers add up to the number of spans. */
export type SendStart =
  | {
      readonly ok: true;
      readonly sent: number;
      readonly rejected: number;
      readonly unsent: number;
      readonly problems: readonly string[];
    }
  /** Nothing was sent. The reason as a sentence; undefined if the user cancelled a question. */
  | { readonly ok: false; readonly message: string | undefined };

/**
 * The state of sending to a collector. `sent`, `waiting` and `lost` add up to the calls that have ended since
 * the start.
 */
export interface SendingInfo {
  /** The collector's address, without credentials. */
  readonly address: string;
  readonly sent: number;
  readonly waiting: number;
  /**
   * Calls that the collector refused, that were deleted before they were sent, or that exceeded the limit of
   * waiting calls.
   */
  readonly lost: number;
  /** Why calls are lost or cannot be sent now; undefined without problems. */
  readonly problem: string | undefined;
}

/** The result of starting to send. The message is undefined if the user cancelled a question. */
export type SendingStart =
  | { readonly ok: true; readonly sending: SendingInfo }
  | { readonly ok: false; readonly message: string | undefined };

/** The source of ended calls for sending. */
export interface EndedCalls extends Pick<ExportSource, 'payload'> {
  readonly onDidEnd: Event<string>;
  /** A call with the name of its trace; undefined if it is no longer stored. */
  find(call: string): { readonly node: CallNode; readonly trace: string } | undefined;
}

/** The result of opening a trace: the id of one of its calls. */
export type OpenedTrace =
  | { readonly ok: true; readonly call: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Receiving and sending telemetry. Only the desktop host provides it. A receiver belongs to the window that
 * started it.
 */
export interface TelemetryService extends Disposable {
  /** Fires when the receiver or sending is started or stopped, and when spans arrive or are sent. */
  readonly onDidChange: Event<void>;
  readonly receiver: ReceiverInfo | undefined;
  /** Starts the receiver, or returns the running one. The default port is that of OTLP, 4318. */
  startReceiver(port?: number): Promise<ReceiverStart>;
  stopReceiver(): Promise<void>;
  /** Sends traces to the collector in the settings. */
  send(traces: Pick<ExportSource, 'trees' | 'payload'>, signal: AbortSignal): Promise<SendStart>;
  /** The state of sending ended calls; undefined if it is not running. */
  readonly sending: SendingInfo | undefined;
  /** Starts sending calls to the collector in the settings when they end. Returns the state of a running one. */
  startSending(calls: EndedCalls): Promise<SendingStart>;
  /** Sends the waiting calls, unless the collector is down, and stops. Returns the final state. */
  stopSending(): Promise<SendingInfo | undefined>;
  /** The address of the Jaeger from which the last trace was opened. */
  readonly lastJaeger: string;
  /** Reads a trace from a Jaeger and adds it to the traces of this window. */
  openTrace(url: string, trace: string, signal: AbortSignal): Promise<OpenedTrace>;
}
