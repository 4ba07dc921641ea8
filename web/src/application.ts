import { startApplication } from './main.tsx'

startApplication(document.body)
