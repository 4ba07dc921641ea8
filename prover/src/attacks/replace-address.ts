/** The same steps with one account in place of another: how a control run removes the attacker's lever. */
import type { AbiValue } from '../evm/abi.ts'
import type { CallStep, Step } from '../scene/step.ts'

const inValue = (value: AbiValue, from: string, to: string): AbiValue => {
  if (Array.isArray(value)) return value.map((item) => inValue(item, from, to))
  return typeof value === 'string' ? value.replaceAll(from.slice(2), to.slice(2)) : value
}

export const replaceAddress = (steps: readonly Step[], from: string, to: string): Step[] =>
  steps.map((step) =>
    step.kind === 'call' ? { ...step, args: step.args.map((value) => inValue(value, from, to)) } : step,
  )

/** Calls made through one of the attacker's contracts are made through the other. */
export const replaceVia = (steps: readonly Step[], from: CallStep['via'], to: CallStep['via']): Step[] =>
  steps.map((step) => (step.kind === 'call' && step.via === from ? { ...step, via: to } : step))
