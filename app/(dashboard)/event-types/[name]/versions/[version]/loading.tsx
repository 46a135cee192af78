export { LoadingForm as default } from "#components/shell/loading-pages.tsx";
