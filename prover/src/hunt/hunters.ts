/** Searches without a finding: calls of an outsider, calls that re-enter, donations. Each tells what it found as soon as it has it. */
import { blockedByDonation } from '../attacks/donation.ts'
import { movedPrice } from '../attacks/moved-price.ts'
import { reentrancy } from '../attacks/reentrancy.ts'
import { shareInflation } from '../attacks/share-inflation.ts'
import { bypassedLock } from './bypassed-lock.ts'
import { changedAnswers } from './changed-answers.ts'
import { asScene, calledInstances } from './hunt-scene.ts'
import type { Hunter } from './hunter.ts'
import { outsiderCalls } from './outsider-calls.ts'
import { rawCalldata } from './raw-calldata.ts'

/** An attack written for a class of findings, with all code flagged: its own oracle and control run decide. */
const reentering: Hunter = {
  async run(scene, onCatch) {
    for (const target of calledInstances(scene))
      for (const fn of target.contract.functions.filter(({ isView }) => !isView)) {
        const proof = await reentrancy.run(asScene(scene, target, fn.name))
        if (proof?.status === 'confirmed') await onCatch({ oracle: 'attacker-gains', at: target, proof })
      }
  },
}

/** The same with a token that calls its senders and recipients; left out where the contract works with none. */
const hooked: Hunter = { ...reentering, token: 'AssayHookToken' }

const tradedPrice: Hunter = {
  async run(scene, onCatch) {
    const proof = await movedPrice.run(asScene(scene, scene.target))
    if (proof) await onCatch({ oracle: 'attacker-gains', at: scene.target, proof })
  },
}

const firstDeposit: Hunter = {
  isUnused: true,
  async run(scene, onCatch) {
    const proof = await shareInflation.run(asScene(scene, scene.target))
    if (proof) await onCatch({ oracle: 'attacker-gains', at: scene.target, proof })
  },
}

const donations: Hunter = {
  async run(scene, onCatch) {
    for (const target of calledInstances(scene)) {
      const exits = scene.exits.filter(({ step }) => step.to.address === target.address)
      const proof = await blockedByDonation(
        asScene(scene, target),
        exits.map(({ step }) => [step]),
      )
      if (proof) await onCatch({ oracle: 'call-blocked-by-donation', at: target, proof })
    }
  },
}

export const hunters: readonly Hunter[] = [
  rawCalldata,
  changedAnswers,
  bypassedLock,
  donations,
  firstDeposit,
  tradedPrice,
  reentering,
  hooked,
  outsiderCalls,
]
