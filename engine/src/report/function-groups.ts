import type { FunctionFacts } from './code-facts.ts'

/** Shared, because most groups of most files stay empty. */
const nobody: readonly FunctionFacts[] = Object.freeze([])

const joined = (group: readonly FunctionFacts[], fn: FunctionFacts): readonly FunctionFacts[] => {
  if (group === nobody) return [fn]
  ;(group as FunctionFacts[]).push(fn)
  return group
}

/** The functions of a file by what they do and lack, each group in the order of the text. */
export class Groups {
  /** Functions that outsiders can call. */
  entryCount = 0
  /** Some function sends ether or tokens. */
  paysOut = false

  lowLevelCallers = nobody
  delegators = nobody
  tokenCallers = nobody
  /** Store an address without a look at zero. */
  uncheckedStorers = nobody

  // The others hold only functions that outsiders can call.
  undocumented = nobody
  payables = nobody
  writers = nobody
  openWriters = nobody
  /** Writers that only some may call. */
  privilegedWriters = nobody
  silentPrivilegedWriters = nobody
  /** Send ether or call without a type. */
  senders = nobody
  /** Senders that write state without a lock. */
  unlockedSenders = nobody
  loopPayers = nobody
  /** Write state or send ether. */
  doers = nobody
  /** Overwrite variables with an address that they were given. */
  givers = nobody

  push(fn: FunctionFacts): void {
    if (fn.callsLowLevel) this.lowLevelCallers = joined(this.lowLevelCallers, fn)
    if (fn.delegates) this.delegators = joined(this.delegators, fn)
    if (fn.callsTokens) this.tokenCallers = joined(this.tokenCallers, fn)
    if (fn.uncheckedAddresses.length > 0) this.uncheckedStorers = joined(this.uncheckedStorers, fn)
    if (fn.sendsEther || fn.callsTokens) this.paysOut = true
    if (fn.isEntry) this.addEntry(fn)
  }

  private addEntry(fn: FunctionFacts): void {
    this.entryCount += 1
    if (!fn.isDocumented) this.undocumented = joined(this.undocumented, fn)
    if (fn.isPayable) this.payables = joined(this.payables, fn)
    if (fn.writesState) this.addWriter(fn)
    if (fn.sendsEther || fn.callsLowLevel) this.addSender(fn)
    if (fn.sendsEther && fn.loops) this.loopPayers = joined(this.loopPayers, fn)
    if (fn.writesState || fn.sendsEther) this.doers = joined(this.doers, fn)
    if (fn.handsOver.length > 0) this.givers = joined(this.givers, fn)
  }

  private addWriter(fn: FunctionFacts): void {
    this.writers = joined(this.writers, fn)
    if (!fn.isGuarded) this.openWriters = joined(this.openWriters, fn)
    else {
      this.privilegedWriters = joined(this.privilegedWriters, fn)
      if (!fn.emits) this.silentPrivilegedWriters = joined(this.silentPrivilegedWriters, fn)
    }
  }

  private addSender(fn: FunctionFacts): void {
    this.senders = joined(this.senders, fn)
    if (fn.writesState && !fn.usesLock) this.unlockedSenders = joined(this.unlockedSenders, fn)
  }
}
