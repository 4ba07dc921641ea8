/** A place in the shown source, lines and columns from 1. */
export interface CodePosition {
  line: number
  column: number
}

/** What is under the pointer. */
export function positionOfPoint(x: number, y: number): CodePosition | undefined {
  const caret = document.caretRangeFromPoint?.(x, y) ?? caretFrom(document.caretPositionFromPoint?.(x, y))
  return caret && positionOf(caret.startContainer, caret.startOffset)
}

function caretFrom(at: { offsetNode: Node; offset: number } | null | undefined): Range | undefined {
  if (!at) return undefined
  const range = document.createRange()
  range.setStart(at.offsetNode, at.offset)
  return range
}

/** Where the text that the reader has selected in this part of the page begins. */
export function positionOfSelection(part: HTMLElement | null): CodePosition | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || !part?.contains(selection.anchorNode)) return undefined
  const { startContainer, startOffset } = selection.getRangeAt(0)
  return positionOf(startContainer, startOffset)
}

function positionOf(node: Node, offset: number): CodePosition | undefined {
  const element = node instanceof Element ? node : node.parentElement
  const code = element?.closest('code')
  const line = Number(code?.closest<HTMLElement>('[data-line]')?.dataset.line)
  if (!code || !line) return undefined
  const before = document.createRange()
  before.setStart(code, 0)
  before.setEnd(node, offset)
  return { line, column: before.toString().length + 1 }
}
