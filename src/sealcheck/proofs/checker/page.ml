(* The same for a page in a browser, by js_of_ocaml: the function `sealcheckVerified` from a line to a line. *)

open Js_of_ocaml

let () =
  Js.export "sealcheckVerified" (fun line -> Js.string (Answering.answer_line (Js.to_string line)))
