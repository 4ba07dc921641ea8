import { useEffect, useMemo, useRef, useState } from 'react'
import { severityColor } from '../components/severities.ts'
import { fileTree as texts } from '../messages/result.ts'
import { type FileNode, fileTree } from './file-tree.ts'
import type { ListedFinding, ViewPlace, ViewSource } from './scan-view.ts'

/** More files than this are looked for by folder: only the folders around the shown file are open. */
const mostOpen = 10

/** The files of a project with how much was found in each; choosing one shows it from its first finding. */
export function FileTree({
  all,
  sources,
  path,
  onChoose,
}: {
  all: readonly ListedFinding[]
  sources: readonly ViewSource[]
  /** The file that is shown. */
  path: string
  onChoose: (place: ViewPlace) => void
}) {
  const [isWhole, setWhole] = useState(false)
  const withFindings = useMemo(() => {
    const found = new Set(all.map(({ finding }) => finding.file))
    return sources.filter((source) => found.has(source.path))
  }, [all, sources])
  const shown = isWhole || withFindings.length === 0 ? sources : withFindings
  const nodes = useMemo(() => fileTree(all, shown), [all, shown])
  const choose = (file: string) => {
    const first = all.find(({ finding }) => finding.file === file)?.finding
    onChoose({ file, line: first?.line ?? 1, endLine: first?.endLine ?? 1 })
  }
  const box = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file on show is another place in the tree
  useEffect(() => {
    const current = box.current?.querySelector<HTMLElement>('[aria-current]')
    // Not `scrollIntoView`: it would scroll the page too.
    if (box.current && current) box.current.scrollTop = current.offsetTop - box.current.clientHeight / 2
  }, [path, nodes])
  return (
    <nav
      ref={box}
      aria-label="Files"
      className="relative max-h-[30%] shrink-0 overflow-y-auto border-b border-line p-1.5 text-xs"
    >
      {withFindings.length > 0 && withFindings.length < sources.length && (
        <button
          type="button"
          className="float-right min-h-6 cursor-pointer px-1.5 text-accent underline"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? texts.filesWithFindings(withFindings.length) : texts.allFiles(sources.length)}
        </button>
      )}
      <Nodes nodes={nodes} path={path} isOpen={shown.length <= mostOpen} onChoose={choose} />
    </nav>
  )
}

interface NodesProps {
  nodes: readonly FileNode[]
  path: string
  /** Also folders that the shown file is not in. */
  isOpen: boolean
  onChoose: (file: string) => void
}

function Nodes({ nodes, path, isOpen, onChoose }: NodesProps) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.path}>
          {node.children ? (
            <details open={isOpen || path.startsWith(`${node.path}/`)}>
              <summary className="flex cursor-pointer items-center gap-1.5 rounded px-1.5 min-h-6 text-soft hover:bg-sunken">
                <span aria-hidden="true" className="fold w-3" />
                <NodeWords node={node} />
              </summary>
              <div className="pl-4">
                <Nodes nodes={node.children} path={path} isOpen={isOpen} onChoose={onChoose} />
              </div>
            </details>
          ) : (
            <button
              type="button"
              aria-current={node.path === path ? 'true' : undefined}
              className={`flex w-full cursor-pointer items-center gap-1.5 rounded px-1.5 min-h-6 text-left ${node.path === path ? 'bg-accent-soft font-semibold' : 'hover:bg-sunken'}`}
              onClick={() => onChoose(node.path)}
            >
              <span aria-hidden="true" className="w-3" />
              <NodeWords node={node} />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function NodeWords({ node: { name, count, worst } }: { node: FileNode }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-mono">{name}</span>
      {worst && (
        <span className="inline-flex items-center gap-1.5 tabular-nums">
          <span aria-hidden="true" className="size-2 rounded-full" style={{ background: severityColor[worst] }} />
          {count}
          <span className="sr-only">found</span>
        </span>
      )}
    </>
  )
}
