import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { quote } from '../../core/text/quote.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import { portOf } from '../address.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { TlsOptions } from '../http/exchange.ts';
import { failed, passed, skipped, type DoctorStep } from './diagnosis.ts';

/** What the steps before the first request need. */
export interface HttpVisit {
  readonly agent: ResolvedHttpAgent;
  /** The maximum number of milliseconds for a step. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** The steps before the first request to an agent, in order. */
export const HTTP_STEPS: readonly ((visit: HttpVisit) => DoctorStep | Promise<DoctorStep>)[] = [
  tryAddress,
  tryName,
  tryPort,
  tryTls,
];

function tryAddress({ agent: { url } }: HttpVisit): DoctorStep {
  const shown = redactUrl(url.href);
  return passed('Address', `${shown} is an address of ${url.protocol === 'https:' ? 'HTTPS' : 'HTTP'}`);
}

/** The host of an address without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

async function tryName({ agent: { url } }: HttpVisit): Promise<DoctorStep> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return skipped('Name', `${host} is an IP address and needs no DNS lookup`);
  try {
    const found = await lookup(host, { all: true });
    return passed('Name', `${host} is at ${found.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return failed(
      'Name',
      `${quote(host)} was not found (${codeOf(error)})`,
      "correct the name in the agent's url, or check the network",
    );
  }
}

async function tryPort({ agent: { url }, limit, signal }: HttpVisit): Promise<DoctorStep> {
  const [host, port] = [hostOf(url), portOf(url)];
  const socket = connect({ host, port });
  const problem = await waitFor(socket, 'connect', limit, signal);
  socket.destroy();
  if (problem === undefined) return passed('Port', `Something listens at port ${port}`);
  const advice = PORT_ADVICE.get(problem) ?? "check the network, and the port of the agent's url";
  return failed('Port', `Port ${port} of ${host} did not open (${problem})`, advice);
}

const PORT_ADVICE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'start the agent, or correct the port of its url: nothing listens there'],
  ['TIMEOUT', "a firewall may block the connection; check the network, and the port of the agent's url"],
]);

async function tryTls({ agent: { url, tls }, limit, signal }: HttpVisit): Promise<DoctorStep> {
  if (url.protocol !== 'https:')
    return skipped('TLS', 'The address is not one of https, so nothing is encrypted');
  const host = hostOf(url);
  const socket = connectTls({
    host,
    port: portOf(url),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...tls,
    // The certificate is described below, even if it is not trusted.
    rejectUnauthorized: false,
  });
  const problem = await waitFor(socket, 'secureConnect', limit, signal);
  const step = problem === undefined ? judgeCertificate(socket, tls) : undefined;
  socket.destroy();
  return (
    step ??
    failed(
      'TLS',
      `The server there does not use TLS (${problem ?? ''})`,
      "write http:// in place of https:// in the agent's url, or let the agent use TLS",
    )
  );
}

function judgeCertificate(socket: TLSSocket, { allowSelfSigned }: TlsOptions): DoctorStep {
  const { subject, valid_to: end } = socket.getPeerCertificate();
  const name = [subject?.CN].flat().join(', ');
  const finding = `${socket.getProtocol() ?? 'TLS'}, certificate for ${quote(name)}, valid until ${end}`;
  if (socket.authorized) return passed('TLS', finding);
  const error: unknown = socket.authorizationError;
  const reason = error instanceof Error ? codeOf(error) : String(error);
  if (allowSelfSigned)
    return passed('TLS', `${finding}; it is not trusted (${reason}), which 'tls.allowSelfSigned' allows`);
  return failed(
    'TLS',
    `${finding}; it is not trusted (${reason})`,
    reason === 'CERT_HAS_EXPIRED'
      ? 'renew the certificate'
      : "name the certificate's authority with 'tls.ca', correct the name in the url, or set 'tls.allowSelfSigned'",
  );
}

/** Why an event did not occur; undefined if it did. */
function waitFor(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limit: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve('TIMEOUT'), limit);
    const end = (problem: string | undefined): void => {
      clearTimeout(timer);
      resolve(problem);
    };
    signal.addEventListener('abort', () => end('CANCELLED'), { once: true });
    socket.once(event, () => end(undefined));
    // Errors after the first one have no effect.
    socket.on('error', error => end(codeOf(error)));
    socket.once('close', () => end('closed'));
  });
}

/** If a name has several addresses, Node puts their errors into one that holds them all. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
