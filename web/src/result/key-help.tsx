import { Dialog } from '../components/dialog.tsx'
import { keyHelp as texts } from '../messages/result.ts'

const keys = [
  ['j', 'next finding'],
  ['k', 'previous finding'],
  ['[', texts.previousStepTrace],
  [']', texts.nextStepTrace],
  ['s', texts.changeStatus],
  ['u', texts.undo],
  ['x', texts.selectFinding],
  ['f', texts.fullScreen],
  ['z', texts.foldFunctions],
  ['Ctrl+click, d', texts.goToDefinition],
  ['b', texts.back],
  ['Ctrl+K', texts.goTo],
  ['/', texts.searchFindings],
  ['?', 'this help'],
  ['↑ ↓ Home End', texts.moveListWhenHas],
  ['← →', texts.foldGroup],
] as const

export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
        {keys.map(([key, words]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-sunken px-1.5 font-mono">{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
