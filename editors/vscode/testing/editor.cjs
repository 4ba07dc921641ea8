// Stands in for the module `vscode` that the editor hands to extensions: as much of it as a language client touches. What it has
// not is an empty class, so that the client can be loaded; whatever the extension does is written down in `seen`.

class EventEmitter {
  #listeners = new Set()
  event = (listener, self) => {
    const bound = self ? listener.bind(self) : listener
    this.#listeners.add(bound)
    return new Disposable(() => this.#listeners.delete(bound))
  }
  fire(value) {
    for (const listener of this.#listeners) listener(value)
  }
  dispose() {
    this.#listeners.clear()
  }
}

class Disposable {
  constructor(end = () => {}) {
    this.dispose = end
  }
  static from(...all) {
    return new Disposable(() => {
      for (const each of all) each.dispose()
    })
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character })
  }
}
class Range {
  constructor(a, b, c, d) {
    if (typeof a === 'number') Object.assign(this, { start: new Position(a, b), end: new Position(c, d) })
    else Object.assign(this, { start: a, end: b })
  }
}
class Uri {
  constructor(text) {
    this.text = text
    this.scheme = text.slice(0, text.indexOf(':'))
    this.path = decodeURIComponent(new URL(text).pathname)
    this.fsPath = this.path
  }
  static parse = (text) => new Uri(text)
  static file = (path) => new Uri(require('node:url').pathToFileURL(path).href)
  toString() {
    return this.text
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity })
  }
}
class Location {
  constructor(uri, range) {
    Object.assign(this, { uri, range })
  }
}
class DiagnosticRelatedInformation {
  constructor(location, message) {
    Object.assign(this, { location, message })
  }
}
class MarkdownString {
  constructor(value = '') {
    this.value = value
  }
  appendMarkdown(text) {
    this.value += text
    return this
  }
  appendCodeblock(text) {
    this.value += text
    return this
  }
}
class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents, range })
  }
}
class CodeActionKind {
  static Empty = new CodeActionKind('')
  constructor(value) {
    this.value = value
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part)
  }
}
CodeActionKind.QuickFix = new CodeActionKind('quickfix')
class CodeAction {
  constructor(title, kind) {
    Object.assign(this, { title, kind })
  }
}
class TextEdit {
  constructor(range, newText) {
    Object.assign(this, { range, newText })
  }
}
class WorkspaceEdit {
  #changes = new Map()
  set(uri, edits) {
    this.#changes.set(String(uri), edits)
  }
  entries() {
    return [...this.#changes]
  }
}
class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() }
  cancel() {}
  dispose() {}
}
class Document {
  languageId = 'solidity'
  version = 1
  constructor(path, text) {
    this.uri = Uri.file(path)
    this.text = text
  }
  getText() {
    return this.text
  }
}

const seen = { diagnostics: new Map(), commands: new Map(), hovers: [], actions: [], output: [], settings: {} }
const events = { opened: new EventEmitter(), changed: new EventEmitter(), closed: new EventEmitter() }
const never = () => new Disposable()

/** Reads as the real one where it has something, else as an empty class or, where the editor tells of something, silence. */
const withRest = (object) =>
  new Proxy(object, {
    get(target, name) {
      if (!(name in target) && typeof name === 'string')
        target[name] = /^on[A-Z]|^(?:register|create)/.test(name) ? never : class {}
      return target[name]
    },
  })

const workspace = withRest({
  textDocuments: [],
  notebookDocuments: [],
  workspaceFolders: [],
  isTrusted: true,
  onDidOpenTextDocument: events.opened.event,
  onDidChangeTextDocument: events.changed.event,
  onDidCloseTextDocument: events.closed.event,
  getConfiguration: (section) => ({ get: (name) => seen.settings[`${section}.${name}`] }),
  getWorkspaceFolder: () => undefined,
})

module.exports = withRest({
  CancellationTokenSource,
  CodeAction,
  CodeActionKind,
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  Disposable,
  EventEmitter,
  Hover,
  Location,
  MarkdownString,
  Position,
  Range,
  TextEdit,
  Uri,
  WorkspaceEdit,
  version: '1.91.0',
  env: { appName: 'stand-in', language: 'en', uiKind: 1 },
  workspace,
  commands: withRest({
    registerCommand(name, work) {
      seen.commands.set(name, work)
      return new Disposable(() => seen.commands.delete(name))
    },
  }),
  languages: withRest({
    match: ({ language }, document) => (language === undefined || language === document.languageId ? 10 : 0),
    createDiagnosticCollection: () => ({
      set: (uri, diagnostics) => {
        seen.diagnostics.set(String(uri), diagnostics)
        seen.onDiagnostics?.()
      },
      delete: (uri) => seen.diagnostics.delete(String(uri)),
      clear: () => seen.diagnostics.clear(),
      has: (uri) => seen.diagnostics.has(String(uri)),
      dispose: () => seen.diagnostics.clear(),
    }),
    registerHoverProvider: (_selector, provider) => {
      seen.hovers.push(provider)
      return new Disposable()
    },
    registerCodeActionsProvider: (_selector, provider) => {
      seen.actions.push(provider)
      return new Disposable()
    },
  }),
  window: withRest({
    visibleTextEditors: [],
    tabGroups: withRest({ all: [] }),
    createOutputChannel: () =>
      withRest({
        appendLine: (line) => seen.output.push(line),
        append: (text) => seen.output.push(text),
        dispose() {},
        show() {},
        onDidChangeLogLevel: never,
        error: (text) => seen.output.push(text),
        info() {},
        debug() {},
        trace() {},
        warn() {},
      }),
    showErrorMessage: async (text) => void seen.output.push(text),
  }),
  /** What a person does, and what they then see. */
  standIn: {
    seen,
    open(path, text) {
      const document = new Document(path, text)
      workspace.textDocuments.push(document)
      events.opened.fire(document)
      return document
    },
    type(document, text) {
      const lines = document.text.split('\n')
      const range = new Range(0, 0, lines.length - 1, lines.at(-1).length)
      const change = { range, rangeOffset: 0, rangeLength: document.text.length, text }
      document.text = text
      document.version++
      events.changed.fire({ document, contentChanges: [change], reason: undefined })
    },
    close(document) {
      workspace.textDocuments.splice(workspace.textDocuments.indexOf(document), 1)
      events.closed.fire(document)
    },
  },
})
