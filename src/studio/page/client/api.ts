import type { About, Done, Refusal } from '../../protocol.ts';
import type {
  Comparison,
  Decision,
  Fork,
  Keys,
  NewSession,
  ShowFlow,
  SourcePlace,
  Reveal,
  Revealed,
  SavedTest,
  SaveTest,
  SessionDoor,
  TakenAct,
  Words,
} from '../../protocol/acts.ts';
import type { TextAbout } from '../../../lsp/text/text-about.ts';
import type { TextProposal } from '../../../lsp/text/text-proposal.ts';
import type { Checked, CheckText, NodeTests, PlaceInText } from '../../protocol/flow-news.ts';
import type { FileChanged, FileShown, FileText } from '../../protocol/files.ts';
import type { FlowShown } from '../../../flow/picture/flow-shown.ts';
import type { InboxEntryShown, SessionDetail, SessionShown } from '../../protocol/session-shown.ts';
import type { PageTiming, RequestShown } from '../../protocol/turn-shown.ts';

/** The server refused a request or did not answer. `message` is shown to the user. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, { code, message }: Refusal) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The result of saving a file: its new text, or the text that was saved elsewhere in the meantime. */
export type SaveOutcome =
  | { readonly outcome: 'saved'; readonly file: FileText }
  | { readonly outcome: 'changed'; readonly current: FileText };

/** The requests of the studio protocol. Each rejects with an `ApiError`. */
export const api = {
  about: () => get<About>('/api/about'),
  sessions: () => get<readonly SessionShown[]>('/api/sessions'),
  session: (id: string, reveal: string | null) =>
    get<SessionDetail>(`${pathOf(id)}${reveal === null ? '' : `?reveal=${encodeURIComponent(reveal)}`}`),
  sessionWithStates: (id: string) => get<SessionDetail>(`${pathOf(id)}?states=yes`),
  inbox: (id: string) => get<readonly InboxEntryShown[]>(`${pathOf(id)}/inbox`),
  show: (flow: ShowFlow) => post<Done>('/api/show', flow),
  begin: (session: NewSession) => post<SessionDoor>('/api/sessions', session),
  flow: (hash: string) => get<FlowShown>(`/api/flows/${encodeURIComponent(hash)}`),
  words: (id: string, words: Words) => post<TakenAct>(`${pathOf(id)}/words`, words),
  keys: (id: string, keys: Keys) => post<TakenAct>(`${pathOf(id)}/keys`, keys),
  interrupt: (id: string) => post<Done>(`${pathOf(id)}/interrupt`, {}),
  hangUp: (id: string) => post<Done>(`${pathOf(id)}/hang-up`, {}),
  callBack: (id: string, place: SourcePlace) => post<SessionDoor>(`${pathOf(id)}/call-back`, place),
  voice: (id: string) => post<SessionDoor>(`${pathOf(id)}/voice`, {}),
  decide: (id: string, decision: Decision) => post<Done>(`${pathOf(id)}/decide`, decision),
  fork: (id: string, fork: Fork) => post<SessionDoor>(`${pathOf(id)}/fork`, fork),
  against: (id: string) => post<Comparison>(`${pathOf(id)}/against`, {}),
  reveal: (id: string, reveal: Reveal) => post<Revealed>(`${pathOf(id)}/reveal`, reveal),
  saveTest: (id: string, test: SaveTest) => post<SavedTest>(`${pathOf(id)}/test`, test),
  timing: (id: string, timing: PageTiming) => post<Done>(`${pathOf(id)}/timing`, timing),
  request: (id: string) => get<RequestShown>(`/api/requests/${encodeURIComponent(id)}`),
  files: () => get<readonly FileShown[]>('/api/files'),
  file: (path: string) => get<FileText>(`/api/file?path=${encodeURIComponent(path)}`),
  nodeTests: () => get<NodeTests>('/api/node-tests'),
  check: (text: CheckText) => post<Checked>('/api/check', text),
  complete: (place: PlaceInText) => post<readonly TextProposal[]>('/api/complete', place),
  hover: (place: PlaceInText) => post<TextAbout | null>('/api/hover', place),
  save,
};

function pathOf(sessionId: string): string {
  return `/api/sessions/${encodeURIComponent(sessionId)}`;
}

async function save(path: string, text: string, etag: string): Promise<SaveOutcome> {
  const response = await reached(`/api/file?path=${encodeURIComponent(path)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': `"${etag}"` },
    body: JSON.stringify({ text }),
  });
  if (response.status !== 412) return { outcome: 'saved', file: await bodyOf<FileText>(response) };
  const { current } = (await response.json()) as FileChanged; // The body of a 412 in the protocol.
  return { outcome: 'changed', current };
}

async function get<Body>(path: string): Promise<Body> {
  return await bodyOf<Body>(await reached(path, {}));
}

async function post<Body>(path: string, body: object): Promise<Body> {
  const headers = { 'content-type': 'application/json' };
  return await bodyOf<Body>(await reached(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function reached(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new ApiError(0, { code: 'unreachable', message: 'The studio does not answer. Is roomflow still running?' });
  }
}

/** The server has the same release, so its answers have the types of the protocol. */
async function bodyOf<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as Body;
  throw new ApiError(response.status, refusalOf(response.status, text));
}

function refusalOf(status: number, text: string): Refusal {
  try {
    const { code, message } = JSON.parse(text) as Partial<Refusal>;
    if (typeof message === 'string') return { code: code ?? 'refused', message };
  } catch {
    // The answer does not come from the studio, but for example from a proxy.
  }
  if (status === 401) return { code: 'no-token', message: 'Open the address that roomflow printed.' };
  return { code: 'refused', message: `The studio refused this request (${status}).` };
}
