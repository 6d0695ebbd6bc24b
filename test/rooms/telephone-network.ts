import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
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
  /** Attributes that the request gives it. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A telephone that is to be handed over to another number. */
export interface HandedOver {
  readonly to: string;
  readonly identity: string;
  readonly room: string;
}

/** A LiveKit server behind a telephone network: requests for telephones are answered here, all others by the server. */
export interface TelephoneNetwork {
  readonly url: string;
  /** The telephones called so far. */
  readonly called: readonly CalledTelephone[];
  /** Resolves to the first telephone that is called into a room. */
  firstCalled(room: string): Promise<CalledTelephone>;
  /** Joins the room as a ringing telephone, like LiveKit's SIP service before the answer. */
  ring(telephone: CalledTelephone): Promise<Caller>;
  /** Tells the process that dialed it that a ringing telephone is answered. */
  connect(telephone: CalledTelephone): void;
  /** Answers the call: the telephone is in its room as with LiveKit's SIP service. */
  pickUp(telephone: CalledTelephone): Promise<Caller>;
  /** The requests to hand a telephone over to another number. */
  readonly handedOver: readonly HandedOver[];
  /** Answers such a request: null connects, a SIP status code fails. */
  answer(request: HandedOver, code: number | null): void;
  /** Declines the call with a SIP status code. */
  hangUp(telephone: CalledTelephone, code: number): void;
  close(): void;
  /** The SIP status code for the next calls; null lets them ring. */
  refuses: number | null;
}

export async function openTelephoneNetwork(server: LivekitServer): Promise<TelephoneNetwork> {
  const called: CalledTelephone[] = [];
  const watchers = new Set<() => void>();
  const { hostname, port } = new URL(server.url);
  const network: { refuses: number | null } = { refuses: null };
  const handedOver: HandedOver[] = [];
  const handing = new Map<HandedOver, (code: number | null) => void>();
  const ringing = new Map<CalledTelephone, (code: number | null) => void>();
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.url === '/twirp/livekit.SIP/CreateSIPParticipant')
      return void bodyOf(incoming).then((text) => {
        const asked = JSON.parse(text) as Readonly<Record<string, string>>;
        const { participantAttributes: attributes = {} } = JSON.parse(text) as {
          participantAttributes?: Readonly<Record<string, string>>;
        };
        const { refuses } = network;
        const telephone = {
          ...{ number: asked['sipCallTo'] ?? '', trunk: asked['sipTrunkId'] ?? '', from: asked['sipNumber'] ?? '' },
          ...{ identity: asked['participantIdentity'] ?? '', room: asked['roomName'] ?? '', attributes },
        };
        const { identity, room } = telephone;
        const end = (code: number | null): void => {
          const made = { participantId: 'PA_1', participantIdentity: identity, roomName: room, sipCallId: 'SCL_1' };
          reply(outgoing, code, made);
        };
        // A request that waits for the answer is answered when the telephone is.
        ringing.set(telephone, end);
        if (refuses !== null) return end(refuses);
        called.push(telephone);
        for (const look of watchers) look();
      });
    if (incoming.url === '/twirp/livekit.SIP/TransferSIPParticipant')
      return void bodyOf(incoming).then((text) => {
        const asked = JSON.parse(text) as Readonly<Record<string, string>>;
        const { transferTo: to = '', participantIdentity: identity = '', roomName: room = '' } = asked;
        const one = { to, identity, room };
        handing.set(one, (code) => reply(outgoing, code, {}));
        handedOver.push(one);
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
  const enter = (
    { room, identity, number, attributes: given }: CalledTelephone,
    status: 'ringing' | 'active',
  ): Promise<Caller> => {
    const attributes = { ...given, 'sip.callID': 'SCL_1', 'sip.callStatus': status, 'sip.phoneNumber': number };
    return joinRoom(server, room, identity, undefined, { attributes, kind: 'sip' });
  };
  return Object.assign(network, {
    url: `ws://127.0.0.1:${own}`,
    called,
    firstCalled: (room: string) =>
      new Promise<CalledTelephone>((resolve) => {
        const look = (): void => {
          const telephone = called.find((one) => one.room === room);
          if (telephone === undefined) return;
          watchers.delete(look);
          resolve(telephone);
        };
        watchers.add(look);
        look();
      }),
    handedOver,
    answer: (one: HandedOver, code: number | null) => handing.get(one)?.(code),
    hangUp(telephone: CalledTelephone, code: number) {
      ringing.get(telephone)?.(code);
    },
    connect: (telephone: CalledTelephone) => ringing.get(telephone)?.(null),
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

/** Answers a request: null with what was made, a SIP status code with an error. */
function reply(outgoing: ServerResponse, code: number | null, made: object): void {
  outgoing.writeHead(code === null ? 200 : 429, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(code === null ? made : refusal(code)));
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
