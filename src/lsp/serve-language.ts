import { relative, resolve } from 'node:path';
import { cwd } from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  CodeActionKind,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  type MessageReader,
  type MessageWriter,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
  type WatchDog,
} from 'vscode-languageserver';
import { createProtocolConnection } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createAnalyses } from './checker/analyses.ts';
import { answerRequests } from './answer-requests.ts';
import { createConfigurations } from './checker/configurations.ts';
import { fileKind } from './index/flow-files.ts';
import { openInStudio, showStudio, studioLens } from './open-in-studio.ts';
import { createPublisher } from './publish.ts';
import { createTexts } from './text/texts.ts';

/** The streams and settings of the editor's server. */
export interface LanguageOptions {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  /** The folder of the project, if the editor names none. Default: the working directory of the process. */
  readonly root?: string;
  /** The configuration to check all flows with. Default: the nearest `agent.config.ts` above each flow. */
  readonly config?: string;
  /** The address of a running studio, if any. Without this option, flows cannot be opened in the studio. */
  readonly studio?: () => Promise<string | null>;
}

/** A running server. */
export interface LanguageServing {
  /** Resolves when the editor has disconnected. */
  readonly closed: Promise<void>;
  stop(): void;
}

/**
 * Serves the Language Server Protocol for flows over any pair of message reader and writer: standard streams, or a
 * socket of the studio. It never runs a flow. A configuration is loaded by a separate process, as in `roomflow check`.
 * Never throws.
 * @example
 * const { closed } = serveLanguage({ reader: new StreamMessageReader(stdin), writer: new StreamMessageWriter(stdout)
 * });
 */
export function serveLanguage({
  reader,
  writer,
  root: given = cwd(),
  config,
  studio,
}: LanguageOptions): LanguageServing {
  let end: () => void = () => undefined;
  const closed = new Promise<void>((settle) => {
    end = settle;
  });
  // The library's default ends the process, which may be that of the studio.
  const watchDog: WatchDog = { shutdownReceived: false, initialize: () => undefined, exit: () => end() };
  const connection = createConnection(
    (logger) => createProtocolConnection(reader, writer, logger),
    watchDog,
    ProposedFeatures.all,
  );
  const documents = new TextDocuments(TextDocument);
  let release: () => void = () => undefined;
  let isWatcher = false;

  connection.onInitialize((params): InitializeResult => {
    const root = rootOf(params) ?? given;
    isWatcher = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    const configurations = createConfigurations(root, config === undefined ? null : resolve(given, config));
    const texts = createTexts(() => documents.all(), root);
    const analyses = createAnalyses(root, texts, configurations);
    const publisher = createPublisher(connection, root, texts, analyses, configurations);
    release = () => {
      publisher.stop();
      configurations.close();
    };
    documents.onDidChangeContent(({ document }) => publisher.changed(texts.pathOf(document.uri)));
    documents.onDidClose(({ document }) => publisher.closed(texts.pathOf(document.uri)));
    documents.onDidSave(() => {
      if (configurations.refresh()) publisher.all();
    });
    connection.onDidChangeWatchedFiles(() => {
      analyses.lookAnew();
      configurations.refresh();
      publisher.all();
    });
    answerRequests(connection, documents, { texts, analyses, publisher });
    if (studio === undefined) return { serverInfo: { name: 'roomflow' }, capabilities };
    const canShow = params.capabilities.window?.showDocument?.support === true;
    connection.onCodeLens(({ textDocument }) => {
      const document = documents.get(textDocument.uri);
      const isFlow = document !== undefined && fileKind(texts.pathOf(document.uri), document.getText()) === 'flow';
      return isFlow ? [studioLens(document)] : [];
    });
    connection.onExecuteCommand(async ({ command, arguments: [uri] = [] }) => {
      if (command !== openInStudio || typeof uri !== 'string') return;
      await showStudio(connection, await studio(), relative(root, texts.pathOf(uri)), canShow);
    });
    const more = { codeLensProvider: {}, executeCommandProvider: { commands: [openInStudio] } };
    return { serverInfo: { name: 'roomflow' }, capabilities: { ...capabilities, ...more } };
  });
  connection.onInitialized(() => {
    // Files of a flow or a configuration may change outside the editor.
    if (isWatcher)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: '**/*.{yaml,yml,json,md,txt,ts,mts,js,mjs}' }],
      });
  });
  reader.onClose(() => end());
  writer.onClose(() => end());
  const ended = closed.then(() => release());
  documents.listen(connection);
  connection.listen();
  return {
    closed: ended,
    stop() {
      connection.dispose();
      end();
    },
  };
}

const capabilities: InitializeResult['capabilities'] = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: [':', ' ', '{', '.', '"', "'", '/', ','] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  hoverProvider: true,
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  documentLinkProvider: {},
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
};

function rootOf({ workspaceFolders, rootUri }: InitializeParams): string | undefined {
  const uri = workspaceFolders?.[0]?.uri ?? rootUri;
  if (uri == null || !uri.startsWith('file:')) return undefined;
  try {
    return resolve(fileURLToPath(uri));
  } catch {
    // The folder is from another system.
    return undefined;
  }
}
