/** A process of `bench:prove`: takes one file after another, answers with its rows. */
import { hashOfCode, runTask, type Task } from './prove-rows.ts'

const codeHash = hashOfCode()

process.on('message', async (task: Task) => {
  process.send?.(await runTask(task, codeHash))
})
