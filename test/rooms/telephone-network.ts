import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { type Caller, joinRoom } from './caller.ts';
import type { LivekitServer } from './livekit-server.ts';

/** A telephone that was called. */
export interface CalledTelephone {
  readonly number: string;
  readonly trunk: string;
  readonly from: string;
  readonly identity: string;
  readonly room: string;
}

/** A LiveKit server behind a telephone network: requests for telephones are answered here, all others by the server. */
export interface TelephoneNetwork {
  readonly url: string;
  /** The telephones called so far. */
  readonly called: readonly CalledTelephone[];
  /** Joins the room as a ringing telephone, like LiveKit's SIP service before the answer. */
  ring(telephone: CalledTelephone): Promise<Caller>;
  /** Answers the call: the telephone is in its room as with LiveKit's SIP service. */
  pickUp(telephone: CalledTelephone): Promise<Caller>;
  /** Declines the call with a SIP status code. */
  hangUp(telephone: CalledTelephone, code: number): void;
  close(): void;
  /** The SIP status code for the next calls; null lets them ring. */
  refuses: number | null;
}

export async function openTelephoneNetwork(server: LivekitServer): Promise<TelephoneNetwork> {
  const called: CalledTelephone[] = [];
  const { hostname, port } = new URL(server.url);
  const network: { refuses: number | null } = { refuses: null };
  const ringing = new Map<CalledTelephone, (code: number | null) => void>();
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.url === '/twirp/livekit.SIP/CreateSIPParticipant')
      return void bodyOf(incoming).then((text) => {
        const asked = JSON.parse(text) as Readonly<Record<string, string>>;
        const { refuses } = network;
        const telephone = {
          ...{ number: asked['sipCallTo'] ?? '', trunk: asked['sipTrunkId'] ?? '', from: asked['sipNumber'] ?? '' },
          ...{ identity: asked['participantIdentity'] ?? '', room: asked['roomName'] ?? '' },
        };
        const { identity, room } = telephone;
        const end = (code: number | null): void => {
          const made = { participantId: 'PA_1', participantIdentity: identity, roomName: room, sipCallId: 'SCL_1' };
          outgoing.writeHead(code === null ? 200 : 429, { 'content-type': 'application/json' });
          outgoing.end(JSON.stringify(code === null ? made : refusal(code)));
        };
        // A request that waits for the answer is answered when the telephone is.
        ringing.set(telephone, end);
        if (refuses === null) called.push(telephone);
        else end(refuses);
      });
    const { method, url: path, headers } = incoming;
    const onward = request({ host: hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  // WebSockets of rooms.
  proxy.on('upgrade', (incoming, socket, head) => {
    const onward = connect(Number(port), hostname, () => {
      const lines = incoming.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  const enter = ({ room, identity, number }: CalledTelephone, status: 'ringing' | 'active'): Promise<Caller> => {
    const attributes = { 'sip.callID': 'SCL_1', 'sip.callStatus': status, 'sip.phoneNumber': number };
    return joinRoom(server, room, identity, undefined, { attributes, kind: 'sip' });
  };
  return Object.assign(network, {
    url: `ws://127.0.0.1:${own}`,
    called,
    hangUp(telephone: CalledTelephone, code: number) {
      ringing.get(telephone)?.(code);
    },
    ring: (telephone: CalledTelephone) => enter(telephone, 'ringing'),
    async pickUp(telephone: CalledTelephone) {
      ringing.get(telephone)?.(null);
      return await enter(telephone, 'active');
    },
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  });
}

/** The error of LiveKit's own mock of this service. */
function refusal(code: number) {
  const meta = { sip_status_code: String(code), sip_status: 'Refused' };
  return { code: 'resource_exhausted', msg: 'refused', meta };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
}
