/**
 * Bounds that were worked out while the bounds of some state were still under way, and that asked for those, rest on less
 * than is known afterwards. They serve until the state is settled (nothing is worked out twice in between), and are
 * forgotten then; otherwise the answer would depend on which function was looked at first.
 */
interface Forgettable {
  forget(): void
}

let open = 0
let isTouched = false
let unsettled: Forgettable[] = []

/** The bounds of some state are being worked out from here on. */
export const openState = (): void => {
  open++
}

/** They were asked for meanwhile. */
export const touchOpenState = (): void => {
  isTouched = true
}

/** Whether what is worked out now may rest on bounds that are not final. */
export const isUnsettled = (): boolean => isTouched

/** The same for the bounds of state that are worked out on the way to those of other state; the outermost are final. */
export const isInnerUnsettled = (): boolean => isTouched && open > 1

/** Keep an answer until the state is settled. */
export const forgetLater = (answer: Forgettable): void => {
  unsettled.push(answer)
}

export const closeState = (): void => {
  open--
  if (open > 0 || !isTouched) return
  isTouched = false
  const answers = unsettled
  unsettled = []
  for (const answer of answers) answer.forget()
}
