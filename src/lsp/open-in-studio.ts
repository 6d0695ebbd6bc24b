import { type CodeLens, type Connection, MessageType, ShowMessageNotification } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';

/** The command that an editor asks the server to run. */
export const openInStudio = 'roomflow.openInStudio';

/** A lens above the first line of a flow that opens the studio. */
export function studioLens({ uri }: TextDocument): CodeLens {
  const start = { line: 0, character: 0 };
  return {
    range: { start, end: start },
    command: { title: 'Open in studio', command: openInStudio, arguments: [uri] },
  };
}

/** Opens a running studio, or says how to start one. `flow` is the name of the flow on the command line. */
export async function showStudio(
  connection: Pick<Connection, 'window' | 'sendNotification'>,
  address: string | null,
  flow: string,
  canShow: boolean,
): Promise<void> {
  const tell = (message: string): Promise<void> =>
    connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message });
  if (address === null) await tell(`No studio is running here. Start one by: npx roomflow dev ${flow}`);
  else if (canShow) await connection.window.showDocument({ uri: address, external: true });
  else await tell(`The studio is at ${address}`);
}
