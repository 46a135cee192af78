export { LoadingHome as default } from "#components/shell/loading-pages.tsx";
