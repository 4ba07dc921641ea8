// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Raffle {
    uint256 public immutable entranceFee;
    address public feeAddress;
    address[] public players;

    constructor(uint256 fee, address feeRecipient) {
        entranceFee = fee;
        feeAddress = feeRecipient;
    }

    function enterRaffle(address[] memory newPlayers) external payable {
        require(msg.value == entranceFee * newPlayers.length, "must send enough to enter");
        for (uint256 i = 0; i < newPlayers.length; i++) {
            players.push(newPlayers[i]);
        }
    }

    function refund(uint256 playerIndex) external {
        address player = players[playerIndex];
        require(player == msg.sender, "only the player can refund");
        players[playerIndex] = address(0);
        (bool ok, ) = payable(msg.sender).call{value: entranceFee}("");
        require(ok, "refund failed");
    }
}
